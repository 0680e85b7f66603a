<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\NoAnswer;

/**
 * How a connection is made.
 *
 * @internal
 */
final class Connecting
{
    private const EAGAIN = 11;
    private const EINTR = 4;
    private const ETIMEDOUT = 110;
    /** Between two tries, in microseconds. */
    private const SHORTEST_PAUSE = 2_000;
    private const LONGEST_PAUSE = 64_000;

    /**
     * @return resource
     * @throws NoAnswer
     */
    public static function connected(Address $address, Deadline $deadline)
    {
        $context = stream_context_create($address->isLocalSocket ? [] : ['socket' => ['tcp_nodelay' => true]]);
        for ($pause = self::SHORTEST_PAUSE;; $pause = min(2 * $pause, self::LONGEST_PAUSE)) {
            $socket = stream_socket_client(
                $address->uri,
                $code,
                $text,
                $deadline->left(),
                STREAM_CLIENT_CONNECT,
                $context,
            );
            if ($socket !== false) {
                return $socket;
            }
            if ($code !== self::EAGAIN && $code !== self::EINTR) {
                throw new NoAnswer($code === self::ETIMEDOUT ? 'no answer: the connection was not made in time'
                    : "no answer: cannot connect ($text); check the address, and whether mediatokend runs");
            }
            // As many wait to be accepted as the listener has room for; or a signal came. Not all of those who wait look at once.
            usleep((int) min(random_int(intdiv($pause, 2), $pause), ceil($deadline->left() * 1e6)));
        }
    }
}
