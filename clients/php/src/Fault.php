<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Hidden;

/** The daemon has no verdict: something is wrong on its side, or with the question. */
final class Fault extends NotValid
{
    /**
     * @param string $name REPLAY_MEMORY_FULL, bad-parameter, …
     * @param int $status of HTTP
     * @param ?int $retryAfter seconds, if the daemon says when
     */
    public function __construct(
        string $message,
        public readonly string $name = '',
        public readonly int $status = 0,
        #[\SensitiveParameter] string $detail = '',
        string $action = 'report',
        public readonly ?int $retryAfter = null,
        public readonly ?string $requestID = null,
    ) {
        parent::__construct($message, $action);
        Hidden::keep($this, ['detail' => $detail]);
    }

    /** For people. It may have what the question says: no dump shows it. */
    public function detail(): string
    {
        return Hidden::of($this, 'detail') ?? '';
    }
}
