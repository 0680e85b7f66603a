<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Hidden;

/** The daemon says no. */
final class Refused extends NotValid
{
    /**
     * @param ?string $verdict null of a decision that has no token; its reason is "no-token-in-decision"
     * @param ?string $identity the token's name in logs, if it has one
     */
    public function __construct(
        string $message,
        public readonly ?string $verdict = null,
        public readonly string $reason = '',
        #[\SensitiveParameter] string $detail = '',
        string $action = 'report',
        public readonly string $adobeCode = 'ERROR_UNKNOWN',
        public readonly ?string $identity = null,
        #[\SensitiveParameter] ?string $decisionError = null,
        public readonly ?string $requestID = null,
    ) {
        parent::__construct($message, $action);
        Hidden::keep($this, ['detail' => $detail, 'decisionError' => $decisionError]);
    }

    /** For people. It may have what the token says: no dump shows it. */
    public function detail(): string
    {
        return Hidden::of($this, 'detail') ?? '';
    }

    /** What Adobe's decision says in a token's place, if it does. */
    public function decisionError(): ?string
    {
        return Hidden::of($this, 'decisionError');
    }
}
