<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * What PHP warns of while sockets are used is in what its functions return. An application's handler would make exceptions of it.
 *
 * @internal
 */
final class Quiet
{
    /**
     * @template Result
     * @param \Closure(): Result $work
     * @return Result
     */
    public static function run(\Closure $work): mixed
    {
        set_error_handler(static fn (int $level, string $text, string $file): bool => dirname($file) === __DIR__);
        try {
            return $work();
        } finally {
            restore_error_handler();
        }
    }
}
