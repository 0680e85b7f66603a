<?php

declare(strict_types=1);

namespace MediaToken;

/** There is no valid token: do not play. It is Refused or Unavailable. */
abstract class NotValid extends \RuntimeException
{
    /** The action is what the player does next: new-token, retry with the same one, or report. A newer daemon may have others. */
    public function __construct(
        string $message,
        public readonly string $action = 'retry',
        public readonly ?string $requestID = null,
        private readonly string $detail = '',
    ) {
        parent::__construct($message);
        // Where zend.exception_ignore_args is off PHP keeps the arguments of all callers, and a token is one.
        $trace = array_map(static fn (array $frame): array => array_diff_key($frame, ['args' => true]), $this->getTrace());
        (new \ReflectionProperty(\Exception::class, 'trace'))->setValue($this, $trace);
    }

    /** More, for people: what var_dump() and print_r() do not show. */
    public function detail(): string
    {
        return $this->detail;
    }

    public function __debugInfo(): array
    {
        return ['text' => $this->getMessage()];
    }
}

/** The daemon says no. The verdict is null of a decision that has no token. */
final class Refused extends NotValid
{
    public function __construct(
        public readonly ?string $verdict,
        public readonly string $reason,
        public readonly string $adobeCode,
        ?string ...$rest,
    ) {
        parent::__construct(ltrim("$verdict: $reason", ': '), ...$rest);
    }
}

/** There is no verdict: a fault of the daemon, an error about the question, or no answer of ours, when the token may be used up. */
final class Unavailable extends NotValid
{
    /** The name is REPLAY_MEMORY_FULL, bad-parameter, …, or NO_ANSWER; the status is that of HTTP, or 0; times are in seconds. */
    public function __construct(
        public readonly string $name = 'NO_ANSWER',
        public readonly int $status = 0,
        public readonly ?int $retryAfter = null,
        string $why = '',
        ?string ...$rest,
    ) {
        parent::__construct(rtrim("no verdict: $name ($status): $why", ': '), ...$rest + ['detail' => $why]);
    }
}
