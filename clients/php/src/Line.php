<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Sealed;

/** What came of one question of a batch. It is true as every object is: ask token(). */
final readonly class Line implements \JsonSerializable, \Stringable
{
    use Sealed;

    private function __construct(private ValidLine|Refused|Fault $outcome)
    {
    }

    /**
     * The valid token.
     *
     * @throws Refused|Fault if it is not valid
     */
    public function token(): ValidLine
    {
        return $this->outcome instanceof ValidLine ? $this->outcome : throw $this->outcome;
    }

    public function __toString(): string
    {
        return 'Line ' . ($this->outcome instanceof ValidLine ? $this->outcome : $this->outcome->getMessage());
    }
}
