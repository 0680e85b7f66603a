<?php

declare(strict_types=1);

namespace MediaToken;

/** The daemon says no. The verdict is null of a decision that has no token. */
final class Refused extends NotValid
{
    public function __construct(
        public readonly ?string $verdict,
        public readonly string $reason,
        string $action,
        public readonly string $adobeCode,
        ?string $requestID,
        string $detail,
    ) {
        parent::__construct(ltrim("$verdict: $reason", ': '), $action, $requestID, $detail);
    }
}
