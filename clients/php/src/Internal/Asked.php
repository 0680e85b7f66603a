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
        #[\SensitiveParameter] public string $body,
        public array $identities,
        public ?string $requestor,
        public ?string $resource,
        public bool $isDecision,
    ) {
    }
}
