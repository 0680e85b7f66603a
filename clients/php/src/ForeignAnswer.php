<?php

declare(strict_types=1);

namespace MediaToken;

/** What came is not an answer of mediatokend to this question. The token may be used up. */
final class ForeignAnswer extends NotValid
{
    public function __construct(string $message)
    {
        parent::__construct($message, 'report');
    }
}
