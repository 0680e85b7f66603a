<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Connection;
use MediaToken\Internal\Question;
use MediaToken\Internal\Reading;

/** Asks one daemon. Processes that are forked from the one that made it may use it, too. */
final readonly class Client
{
    private const HEADER = '/\A[!#$%&\'*+\-.^_`|~0-9A-Za-z]{1,64}\z/';
    /** Fields that the client itself sends, or that say how a question is to be read. */
    private const OURS = ['host', 'accept', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'expect', 'te',
        'trailer', 'upgrade'];

    private Connection $connection;

    /**
     * @param string $address path of the daemon's UNIX socket, or http://127.0.0.1:PORT or http://[::1]:PORT
     * @param float $timeout seconds for a whole call
     * @param ?string $requestIDHeader the daemon's setting requestIDHeader. Each question then has an id, which must come back
     * @param ?float $retryWindow the daemon's replay.retryWindowMilliseconds, in seconds. A question whose answer was lost is asked
     *     once more with the same id within that time. Only with a requestIDHeader, at a UNIX socket
     * @param int $idleConnections 0: none is kept open between questions
     * @throws \InvalidArgumentException if these cannot be
     */
    public function __construct(
        private string $address,
        private float $timeout = 5.0,
        private ?string $requestIDHeader = null,
        private ?float $retryWindow = null,
        int $idleConnections = 8,
    ) {
        $this->connection = new Connection($address, $idleConnections > 0);
        self::expect($timeout > 0 && is_finite($timeout), 'a timeout of more than 0 s');
        self::expect($requestIDHeader === null || (preg_match(self::HEADER, $requestIDHeader) === 1
            && !in_array(strtolower($requestIDHeader), self::OURS, true)), 'the name of a header that is free for request ids');
        self::expect($retryWindow === null || ($retryWindow > 0 && is_finite($retryWindow) && $requestIDHeader !== null
            && !str_contains($address, '://')), "a retry window of more than 0 s, or none, with a requestIDHeader and a UNIX socket");
        self::expect($idleConnections >= 0, 'a number of idle connections from 0');
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
        return $this->ask(Question::aboutToken($token, Question::names($requestor, $resource)), $requestID);
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
        return $this->ask(Question::aboutDecision($decision, Question::names($requestor, $resource)), $requestID);
    }

    /**
     * Returns if the daemon would play the next good token.
     *
     * @throws NotReady|Fault|NoAnswer|ForeignAnswer
     */
    public function checkReady(): void
    {
        Reading::ofReadiness($this->connection->ask('/readyz', [], null, $this->timeout, $this->timeout));
    }

    /** Closes the connection that is idle. The client can be used again. */
    public function close(): void
    {
        $this->connection->close();
    }

    /** What var_dump() and print_r() show. */
    public function __debugInfo(): array
    {
        return ['address' => $this->address];
    }

    public function __serialize(): array
    {
        throw new \LogicException(self::class . ' cannot be serialized; make one where it is needed');
    }

    private function __clone()
    {
    }

    private static function expect(bool $holds, string $what): void
    {
        $holds || throw new \InvalidArgumentException("expected $what");
    }

    /** The caller's id or a new one; null where the daemon chooses one. */
    private function requestID(?string $wanted): ?string
    {
        if ($this->requestIDHeader === null) {
            self::expect($wanted === null, "no request id without requestIDHeader, the daemon's setting of that name");
            return null;
        }
        $isID = $wanted === null || preg_match(Reading::REQUEST_ID, $wanted) === 1;
        self::expect($isID, 'a request id of 1 to 128 letters, digits and . _ - : + / = @');
        return $wanted ?? bin2hex(random_bytes(16));
    }

    private function ask(Question $question, ?string $requestID): ValidToken
    {
        $fields = ["Content-Type: {$question->type}"];
        if ($requestID !== null) {
            $fields[] = "{$this->requestIDHeader}: $requestID";
        }
        $answer = $this->connection->ask('/v1/verify', $fields, $question, $this->timeout, $this->retryWindow);
        return Reading::ofToken($answer, $question, $requestID);
    }
}
