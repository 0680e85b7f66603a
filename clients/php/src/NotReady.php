<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Hidden;
use MediaToken\Internal\Problem;

/** The daemon would not play the next good token. */
final class NotReady extends \RuntimeException
{
    use Problem;

    /**
     * @param string $reason for programs
     * @param ?int $retryAfter seconds, if the daemon says when
     */
    public function __construct(
        string $message,
        public readonly string $reason = '',
        string $detail = '',
        string $cure = '',
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct($message);
        $this->forgetArguments();
        Hidden::keep($this, ['detail' => $detail, 'cure' => $cure]);
    }

    /** What is wrong, for people. */
    public function detail(): string
    {
        return Hidden::of($this, 'detail') ?? '';
    }

    /** What to do about it, for people. */
    public function cure(): string
    {
        return Hidden::of($this, 'cure') ?? '';
    }
}
