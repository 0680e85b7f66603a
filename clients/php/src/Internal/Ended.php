<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * The connection ended before the answer did.
 *
 * @internal
 */
final class Ended extends \Exception
{
    /** @param bool $began whether a byte of the answer had come */
    public function __construct(public readonly bool $began)
    {
        parent::__construct();
    }
}
