<?php

/** What the programs of this folder share. Each prints a line for each thing that holds, and one on stderr for each that does not. */

declare(strict_types=1);

require __DIR__ . '/../../../../clients/php/dumped.php';

function says(string $text, bool $holds): void
{
    fwrite($holds ? STDOUT : STDERR, ($holds ? '' : 'not so: ') . "$text\n");
}

/** Whether a call throws an exception of the class, with the words in its message. */
function throws(string $class, string $words, Closure $call): bool
{
    try {
        $call();
    } catch (Throwable $error) {
        if ($error instanceof $class && str_contains($error->getMessage(), $words)) {
            return true;
        }
        fwrite(STDERR, get_debug_type($error) . ": {$error->getMessage()}\n");
    }
    return false;
}
