<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\ForeignAnswer;
use MediaToken\NoAnswer;

/**
 * A daemon's address and the connection to it, which cURL makes, keeps between questions and looks at before it is used again. It ends
 * with the request of a web server.
 *
 * @internal
 */
final class Connection
{
    /** As long as the path of a UNIX socket can be. */
    private const PATH_BYTES = 107;
    private const LOOPBACK = '~\Ahttp://((?:127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4}))\z~';
    /** What the system says where a listener has no room: EAGAIN, or nothing more if cURL takes that for a connection in the making. */
    private const CROWDED = [0, 11];
    /** Between two tries to connect, in microseconds. */
    private const PAUSES = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000];
    /** After these the connection has ended. Others are of answers that are not HTTP. */
    private const ENDS = [CURLE_OK, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
        CURLE_ABORTED_BY_CALLBACK];
    private const LONGEST = 2_000_000_000;

    private ?\CurlHandle $curl = null;
    private int $process = 0;
    /** Of the question that is asked: when it is over, when it may be sent again no more, and whether it was. */
    private float $end;
    private float $last;
    private bool $isRepeated;
    /** @var array<int, mixed> */
    private array $options;

    /** @throws \InvalidArgumentException if it is no address */
    public function __construct(string $address, bool $isKept)
    {
        $isPath = !str_contains($address, '://') && !str_contains($address, "\0");
        $isPath = $isPath && $address !== '' && strlen($address) <= self::PATH_BYTES;
        $isPort = preg_match(self::LOOPBACK, $address, $parts) === 1 && (int) $parts[2] <= 65_535;
        if (!$isPath && !$isPort) {
            $what = 'expected the path of a UNIX socket, of 1 to 107 bytes, http://127.0.0.1:PORT or http://[::1]:PORT';
            throw new \InvalidArgumentException($what);
        }
        $this->options = [
            CURLOPT_UNIX_SOCKET_PATH => $isPath ? $address : null,
            CURLOPT_PROXY => '',
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FORBID_REUSE => !$isKept,
            // For how long, in seconds, a connection is kept without a question: less than the daemon keeps it.
            CURLOPT_MAXAGE_CONN => 30,
            CURLOPT_URL => 'http://' . ($isPath ? 'localhost' : $parts[1]),
        ];
    }

    public function close(): void
    {
        $this->curl = null;
    }

    /**
     * Asks, at most twice.
     *
     * @param list<string> $fields
     * @param ?float $window for how many seconds a question that was sent may be sent again; null: never
     * @throws NoAnswer|ForeignAnswer
     */
    public function ask(string $path, array $fields, ?Question $question, float $timeout, ?float $window): Answer
    {
        [$this->end, $this->last, $this->isRepeated] = [self::now() + $timeout, self::now() + (float) $window, false];
        $answer = $this->attempt($path, $fields, $question);
        if (!$answer->isWhole() && !$answer->hasBegun() && $this->repeats()) {
            $answer = $this->attempt($path, $fields, $question);
        }
        return $answer->isWhole() ? $answer : throw new NoAnswer('no answer: the connection ended before it was whole');
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Whether a question that was sent may be sent again, which is so once. */
    private function repeats(): bool
    {
        $mayRepeat = !$this->isRepeated && self::now() < $this->last;
        $this->isRepeated = true;
        return $mayRepeat;
    }

    /**
     * Asks once, as soon as the listener has room.
     *
     * @param list<string> $fields
     */
    private function attempt(string $path, array $fields, ?Question $question): Answer
    {
        for ($try = 0;; $try++) {
            $left = $this->end - self::now();
            // Where the listener had no room, the window may be over by now.
            if ($left <= 0 || ($this->isRepeated && self::now() >= $this->last)) {
                throw new NoAnswer('no answer: none came in time');
            }
            $answer = new Answer();
            $curl = $this->prepared($path, $fields, (string) $question?->body(), $answer);
            curl_setopt($curl, CURLOPT_TIMEOUT_MS, (int) min(ceil($left * 1_000) + 1, self::LONGEST));
            $answer->take((string) curl_exec($curl));
            $error = curl_errno($curl);
            $number = curl_getinfo($curl, CURLINFO_OS_ERRNO);
            if ($error !== CURLE_COULDNT_CONNECT || !in_array($number, self::CROWDED, true)) {
                break;
            }
            // As many wait to be accepted as the listener has room for. Not all of those who wait look at once.
            $pause = self::PAUSES[min($try, count(self::PAUSES) - 1)];
            usleep((int) min(random_int(intdiv($pause, 2), $pause), ceil($left * 1e6)));
        }
        if ($answer->status === 200 && curl_getinfo($curl, CURLINFO_SIZE_UPLOAD) < strlen((string) $question?->body())) {
            $answer->wrong ??= '200 to half a question';
        }
        return match (true) {
            $answer->wrong !== null, in_array($error, self::ENDS, true) => $answer,
            $error === CURLE_OPERATION_TIMEDOUT => throw new NoAnswer('no answer: none came in time'),
            $error === CURLE_COULDNT_CONNECT => throw new NoAnswer(
                "no answer: cannot connect (error $number of the system); check the address, and whether mediatokend runs",
            ),
            default => throw new ForeignAnswer('foreign answer: no HTTP/1.1'),
        };
    }

    /** @param list<string> $fields */
    private function prepared(
        string $path,
        array $fields,
        #[\SensitiveParameter] string $body,
        Answer $answer,
    ): \CurlHandle {
        if ($this->curl === null || $this->process !== getmypid()) {
            // In a child of the process that made it this closes the child's copy, and says nothing to the daemon.
            [$this->curl, $this->process] = [curl_init(), (int) getmypid()];
        }
        $connected = null;
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $this->options[CURLOPT_URL] . $path,
            CURLOPT_HTTPHEADER => ['Host: localhost', 'Accept:', 'Expect:', ...$fields],
            CURLOPT_HEADERFUNCTION => $answer->line(...),
            CURLOPT_RETURNTRANSFER => true,
        ] + $this->options + ($body === '' ? [CURLOPT_FRESH_CONNECT => true] : [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_NOPROGRESS => false,
            // cURL by itself sends a question again if a connection ends that was kept. Once a part of it was sent, we decide.
            CURLOPT_XFERINFOFUNCTION => function (\CurlHandle $curl, $size, $came, $length, int $sent) use (&$connected): int {
                $time = curl_getinfo($curl, CURLINFO_CONNECT_TIME_T);
                $isAgain = $connected !== null && $connected !== $time;
                $connected = $sent > 0 || $isAgain ? $time : $connected;
                return $isAgain && !$this->repeats() ? 1 : 0;
            },
        ]));
        return $this->curl;
    }
}
