<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Hidden;

/** A question of a batch: a token as it was received, whom it must be for, and what is about to be played. */
final readonly class Question
{
    public function __construct(
        #[\SensitiveParameter] string $token,
        public string|Configured $requestor,
        public string|Document|Channel|Configured $resource,
    ) {
        Hidden::keep($this, ['token' => $token]);
    }

    /** The token. Keep it out of your logs. */
    public function token(): string
    {
        return Hidden::of($this, 'token') ?? throw new \LogicException('a question cannot be copied or restored; make a new one');
    }
}
