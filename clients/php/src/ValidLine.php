<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Sealed;

/** A token of a batch that may play, now. It is used up. Only Client::verifyBatch() makes one. */
final readonly class ValidLine implements \JsonSerializable, \Stringable
{
    use Sealed;

    /**
     * @param string $identity SHA-256 of the token: its name in logs
     * @param string $use "first", or "not-enforced", where uses are not counted
     */
    private function __construct(public string $identity, public string $use)
    {
    }

    public function __toString(): string
    {
        return "ValidLine {$this->identity} use={$this->use}";
    }
}
