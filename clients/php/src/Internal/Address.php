<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * Where the daemon listens: at the path of a UNIX socket, or on the loopback interface.
 *
 * @internal
 */
final readonly class Address
{
    /** As long as a path can be: PHP would connect to a longer one's beginning. */
    private const PATH_BYTES = 107;

    private function __construct(public string $text, public string $uri, public bool $isLocalSocket)
    {
    }

    /** @throws \InvalidArgumentException if it is neither */
    public static function of(string $text): self
    {
        if (!str_contains($text, '://')) {
            if ($text === '' || str_contains($text, "\0") || strlen($text) > self::PATH_BYTES) {
                throw new \InvalidArgumentException('expected the path of a UNIX socket, of 1 to 107 bytes');
            }
            return new self($text, 'unix://' . $text, true);
        }
        $isLoopback = preg_match('~\Ahttp://((?:127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4}))\z~', $text, $parts) === 1;
        if (!$isLoopback || (int) $parts[2] > 65_535) {
            throw new \InvalidArgumentException('expected the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT');
        }
        return new self($text, 'tcp://' . $parts[1], false);
    }
}
