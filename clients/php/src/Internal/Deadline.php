<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\NoAnswer;

/**
 * One instant for a whole call.
 *
 * @internal
 */
final readonly class Deadline
{
    private float $end;

    public function __construct(float $seconds)
    {
        $this->end = self::now() + $seconds;
    }

    /** Seconds of a clock that only goes forward. */
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /**
     * Seconds that are left.
     *
     * @throws NoAnswer if it has passed
     */
    public function left(): float
    {
        $left = $this->end - self::now();
        return $left > 0 ? $left : throw new NoAnswer('no answer: none came in time');
    }
}
