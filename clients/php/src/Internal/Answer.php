<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * What came back.
 *
 * @internal
 */
final readonly class Answer
{
    /**
     * @param array<string, string> $fields by their names in lower case
     * @param bool $isKept whether another question may be asked on the connection
     */
    public function __construct(
        public int $status,
        public array $fields,
        #[\SensitiveParameter] string $body,
        public bool $isKept,
    ) {
        // It is an argument of calls, which traces of exceptions keep, and has the account.
        Hidden::keep($this, ['body' => $body]);
    }

    public function body(): string
    {
        return Hidden::of($this, 'body');
    }
}
