<?php

declare(strict_types=1);

namespace MediaToken;

/** A Media RSS document that the token's resource must be the same as, however it is spelled. */
final readonly class Document
{
    public function __construct(public string $text)
    {
    }
}
