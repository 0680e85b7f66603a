<?php

declare(strict_types=1);

namespace MediaToken;

/** A channel: the token's resource must be this id, or a document whose channel has this title. */
final readonly class Channel
{
    public function __construct(public string $id)
    {
    }
}
