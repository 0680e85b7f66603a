<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Address;
use MediaToken\Internal\Answer;
use MediaToken\Internal\Asked;
use MediaToken\Internal\Asking;
use MediaToken\Internal\BadDecision;
use MediaToken\Internal\Connection;
use MediaToken\Internal\Deadline;
use MediaToken\Internal\Ended;
use MediaToken\Internal\Members;
use MediaToken\Internal\Pool;
use MediaToken\Internal\Reading;
use MediaToken\Internal\Unsent;

/** Asks one daemon. Processes that are forked from the one that made it may use it, too. */
final readonly class Client
{
    /** Room for a token of the greatest length with every byte escaped. */
    private const ANSWER_BYTES = 1 << 20;
    /** Fields that the client itself sends, or that say how a question is to be read. */
    private const OURS = [
        'host', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'expect', 'te', 'trailer', 'upgrade',
    ];

    private Address $address;
    private Pool $pool;

    /**
     * @param string $address path of the daemon's UNIX socket, or http://127.0.0.1:PORT or http://[::1]:PORT
     * @param float $timeout seconds for a whole call
     * @param ?string $requestIDHeader the daemon's setting requestIDHeader. Each question then has an id, which must come back
     * @param ?float $retryWindow the daemon's replay.retryWindowMilliseconds, in seconds. A question whose answer was lost is asked
     *     once more with the same id within that time. Only with a requestIDHeader, at a UNIX socket
     * @param int $idleConnections the most that are kept open between questions
     * @throws \InvalidArgumentException if these cannot be
     */
    public function __construct(
        string $address,
        private float $timeout = 5.0,
        private ?string $requestIDHeader = null,
        private ?float $retryWindow = null,
        int $idleConnections = 8,
    ) {
        $this->address = Address::of($address);
        if (!($timeout > 0 && is_finite($timeout))) {
            throw new \InvalidArgumentException('expected a timeout of more than 0 s');
        }
        if ($requestIDHeader !== null && !self::isFree($requestIDHeader)) {
            throw new \InvalidArgumentException('expected the name of a header that is free for request ids');
        }
        if ($retryWindow !== null && !($retryWindow > 0 && is_finite($retryWindow))) {
            throw new \InvalidArgumentException(
                'expected a retry window of more than 0 s; leave it out where the daemon has no such window',
            );
        }
        if ($retryWindow !== null && ($requestIDHeader === null || !$this->address->isLocalSocket)) {
            throw new \InvalidArgumentException("a retry window needs requestIDHeader and a UNIX socket, as the daemon's does");
        }
        if ($idleConnections < 0) {
            throw new \InvalidArgumentException('expected a number of idle connections from 0');
        }
        $this->pool = new Pool($idleConnections);
    }

    /**
     * Asks about a token as it was received, and uses it up.
     *
     * @param string|Configured $requestor whom the token must be for; never what the viewer or the token says
     * @param string|Document|Channel|Configured $resource what you are about to play; never what the viewer or the token says
     * @param ?string $requestID an id of yours, a new one for each playback that no one can guess; without it the client makes
     *     one
     * @throws NotValid Refused, Fault, NoAnswer or ForeignAnswer: do not play
     */
    public function verify(
        #[\SensitiveParameter] string $token,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
        ?string $requestID = null,
    ): ValidToken {
        $requestID = $this->requestID($requestID);
        return $this->askAbout(Asking::aboutToken($token, $requestor, $resource), $requestID);
    }

    /**
     * The same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
     *
     * @throws NotValid Refused, Fault, NoAnswer or ForeignAnswer: do not play
     */
    public function verifyDecision(
        #[\SensitiveParameter] string $decision,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
        ?string $requestID = null,
    ): ValidToken {
        $requestID = $this->requestID($requestID);
        try {
            $asked = Asking::aboutDecision($decision, $requestor, $resource);
        } catch (BadDecision) {
            throw new Fault('no verdict: bad-decision (400)', 'bad-decision', 400, 'expected one JSON object, as Adobe sent it');
        }
        return $this->askAbout($asked, $requestID);
    }

    /**
     * Returns if the daemon would play the next good token.
     *
     * @throws NotReady|Fault|NoAnswer|ForeignAnswer
     */
    public function checkReady(): void
    {
        $this->exchange(
            self::written('GET /readyz', []),
            static fn (Answer $answer) => Reading::ofReadiness($answer),
            repeatsWithin: $this->timeout,
        );
    }

    /** Closes the connections that are idle. The client can be used again. */
    public function close(): void
    {
        $this->pool->close();
    }

    /** What var_dump() and print_r() show. */
    public function __debugInfo(): array
    {
        return ['address' => $this->address->text];
    }

    public function __serialize(): array
    {
        throw new \LogicException(self::class . ' cannot be serialized; make one where it is needed');
    }

    private function __clone()
    {
    }

    /** Whether a field of this name may carry ids. */
    private static function isFree(string $name): bool
    {
        return preg_match('/\A[!#$%&\'*+\-.^_`|~0-9A-Za-z]{1,64}\z/', $name) === 1
            && !in_array(strtolower($name), self::OURS, true);
    }

    /** The caller's id or a new one; null where the daemon chooses one. */
    private function requestID(?string $wanted): ?string
    {
        if ($this->requestIDHeader === null) {
            return $wanted === null ? null : throw new \InvalidArgumentException(
                "a request id needs requestIDHeader, the daemon's setting of that name",
            );
        }
        if ($wanted !== null && preg_match(Members::REQUEST_ID, $wanted) !== 1) {
            throw new \InvalidArgumentException('expected a request id of 1 to 128 letters, digits and . _ - : + / = @');
        }
        return $wanted ?? bin2hex(random_bytes(16));
    }

    private function askAbout(Asked $asked, ?string $requestID): ValidToken
    {
        $fields = ['Content-Type' => $asked->type] + ($requestID === null ? [] : [$this->requestIDHeader => $requestID]);
        return $this->exchange(
            self::written('POST /v1/verify', $fields, $asked->body()),
            static fn (Answer $answer): ValidToken => Reading::ofToken($answer, $asked, $requestID),
            $this->retryWindow,
        );
    }

    /**
     * Asks, at most twice, and reads the answer.
     *
     * @template Outcome
     * @param \Closure(Answer): Outcome $read
     * @param ?float $repeatsWithin for how many seconds a question that was sent may be sent again; null: never
     * @return Outcome
     */
    private function exchange(
        #[\SensitiveParameter] string $question,
        \Closure $read,
        ?float $repeatsWithin,
    ): mixed {
        $deadline = new Deadline($this->timeout);
        $start = Deadline::now();
        $connection = $this->pool->take() ?? new Connection($this->address, $deadline);
        $isKept = false;
        try {
            try {
                $answer = $connection->exchange($question, $deadline, self::ANSWER_BYTES);
            } catch (Unsent | Ended $end) {
                $mayRepeat = static fn (): bool => $end instanceof Unsent
                    || (!$end->began && $repeatsWithin !== null && Deadline::now() - $start < $repeatsWithin);
                $mayRepeat() || throw $end;
                $connection->close();
                $connection = null;
                $connection = new Connection($this->address, $deadline);
                // Where the listener had no room, the window may be over by now.
                $mayRepeat() || throw $end;
                $answer = $connection->exchange($question, $deadline, self::ANSWER_BYTES);
            }
            // What is wrong with an answer that is whole is no reason to doubt the next one, unless it is not ours.
            $isKept = $answer->isKept;
            return $read($answer);
        } catch (Ended | Unsent) {
            throw new NoAnswer('no answer: the connection ended before it was whole');
        } catch (ForeignAnswer $foreign) {
            $isKept = false;
            throw $foreign;
        } finally {
            if ($connection !== null) {
                $isKept ? $this->pool->give($connection) : $connection->close();
            }
        }
    }

    /** @param array<string, string> $fields */
    private static function written(string $line, array $fields, #[\SensitiveParameter] ?string $body = null): string
    {
        $head = "$line HTTP/1.1\r\nHost: localhost\r\n";
        foreach ($fields as $name => $value) {
            $head .= "$name: $value\r\n";
        }
        return $body === null ? $head . "\r\n" : $head . 'Content-Length: ' . strlen($body) . "\r\n\r\n" . $body;
    }
}
