<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * Values of an object that are no properties of it.
 *
 * var_export(), casts to arrays and dumpers that cast show private properties, too, and __debugInfo() does not change that.
 *
 * @internal
 */
final class Hidden
{
    /** @var \WeakMap<object, array<string, mixed>>|null */
    private static ?\WeakMap $values = null;

    /** @param array<string, mixed> $values */
    public static function keep(object $owner, #[\SensitiveParameter] array $values): void
    {
        self::$values ??= new \WeakMap();
        self::$values[$owner] = $values;
    }

    /** The value; null of an object that was restored from a serialization, which has none. */
    public static function of(object $owner, string $name): mixed
    {
        return self::$values[$owner][$name] ?? null;
    }
}
