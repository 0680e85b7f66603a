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

    /**
     * @return resource
     * @throws NoAnswer
     */
    public static function connected(Address $address, Deadline $deadline)
    {
        $context = stream_context_create($address->isLocalSocket ? [] : ['socket' => ['tcp_nodelay' => true]]);
        while (true) {
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
            // As many wait to be accepted as the listener has room for; or a signal came.
            usleep((int) min(2_000, ceil($deadline->left() * 1e6)));
        }
    }
}
