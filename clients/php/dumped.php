<?php

/** What the driver and the kit's tests share; no part of the package. */

declare(strict_types=1);

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
