<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * A question as it is sent, and what its answer must be about.
 *
 * @internal
 */
final readonly class Asked
{
    /**
     * @param list<string> $identities the names of what was sent, one of which the answer has; none of what is no token
     * @param ?string $requestor null: any that the daemon chose
     * @param ?string $resource null: any that the daemon chose
     */
    public function __construct(
        public string $type,
        #[\SensitiveParameter] string $body,
        public array $identities,
        public ?string $requestor,
        public ?string $resource,
        public bool $isDecision,
    ) {
        // It is an argument of calls, which traces of exceptions keep, and has the token.
        Hidden::keep($this, ['body' => $body]);
    }

    public function body(): string
    {
        return Hidden::of($this, 'body');
    }
}
