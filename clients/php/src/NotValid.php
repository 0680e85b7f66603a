<?php

declare(strict_types=1);

namespace MediaToken;

/** There is no valid token: do not play. It is Refused or Unavailable. */
abstract class NotValid extends \RuntimeException
{
    /** The action is what the player does next: new-token, retry with the same one, or report. A newer daemon may have others. */
    public function __construct(
        string $message,
        public readonly string $action,
        public readonly ?string $requestID,
        private readonly string $detail,
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
