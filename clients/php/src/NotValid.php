<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Problem;

/** There is no valid token: do not play. One of Refused, Fault, NoAnswer and ForeignAnswer. */
abstract class NotValid extends \RuntimeException
{
    use Problem;

    /**
     * @param string $action what the player does next: "new-token", "retry" with the same one, or "report", as a new one would not
     *     help
     */
    public function __construct(string $message, public readonly string $action)
    {
        parent::__construct($message);
        $this->forgetArguments();
    }
}
