<?php

declare(strict_types=1);

namespace MediaToken;

/** There is no verdict: a fault of the daemon, an error about the question, or no answer of ours, when the token may be used up. */
final class Unavailable extends NotValid
{
    /** The name is REPLAY_MEMORY_FULL, bad-parameter, …, or NO_ANSWER; the status is that of HTTP, or 0; times are in seconds. */
    public function __construct(
        public readonly string $name = 'NO_ANSWER',
        public readonly int $status = 0,
        string $action = 'retry',
        public readonly ?int $retryAfter = null,
        ?string $requestID = null,
        string $detail = '',
        string $why = '',
    ) {
        parent::__construct(rtrim("no verdict: $name ($status): $why", ': '), $action, $requestID, $detail . $why);
    }
}
