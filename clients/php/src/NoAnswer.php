<?php

declare(strict_types=1);

namespace MediaToken;

/** No one listens, or no whole answer came in time. The token may be used up. */
final class NoAnswer extends NotValid
{
    public function __construct(string $message)
    {
        parent::__construct($message, 'retry');
    }
}
