<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * For what only the client makes: no copy, and no serialization that would be valid for ever.
 *
 * The class is readonly, and has a private constructor and __toString(), whose text is all that dumps show.
 *
 * @internal
 */
trait Sealed
{
    /** What var_dump() and print_r() show. */
    public function __debugInfo(): array
    {
        return ['text' => (string) $this];
    }

    public function jsonSerialize(): string
    {
        return (string) $this;
    }

    public function __serialize(): array
    {
        throw new \LogicException(self::class . ' cannot be serialized; pass on the members that you need');
    }

    public function __unserialize(#[\SensitiveParameter] array $data): void
    {
        throw new \LogicException(self::class . ' is made by a Client alone; call verify');
    }

    private function __clone()
    {
    }
}
