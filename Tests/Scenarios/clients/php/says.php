<?php

/** What the programs of this folder share. Each prints a line for each thing that holds, and ends with the first that does not. */

declare(strict_types=1);

function says(string $text, bool $holds): void
{
    if (!$holds) {
        fwrite(STDERR, "not so: $text\n");
        exit(1);
    }
    echo "$text\n";
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

/** Everything that PHP makes of a value where it is printed or logged. */
function dumped(mixed ...$values): string
{
    ob_start();
    foreach ($values as $value) {
        var_dump($value, (array) $value);
        debug_zval_dump($value);
        print_r($value);
        print_r((array) $value);
        var_export($value);
        echo json_encode($value), $value instanceof Stringable ? $value : '';
    }
    return ob_get_clean();
}
