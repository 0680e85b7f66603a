<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * For exceptions: dumps show the message, and neither what is hidden nor the arguments of the calls that led here.
 *
 * PHP keeps those arguments in each exception where zend.exception_ignore_args is off. The token is among them in the frames of
 * callers, whose parameters are not marked as sensitive.
 *
 * @internal
 */
trait Problem
{
    /** What var_dump() and print_r() show. */
    public function __debugInfo(): array
    {
        return ['text' => $this->getMessage()];
    }

    private function forgetArguments(): void
    {
        $trace = array_map(static fn (array $frame): array => array_diff_key($frame, ['args' => true]), $this->getTrace());
        (new \ReflectionProperty(\Exception::class, 'trace'))->setValue($this, $trace);
    }
}
