<?php

/** Runs where the kit is installed. Prints a line for each misuse that PHP refuses. */

declare(strict_types=1);

use MediaToken\Testing\FakeClient;
use MediaToken\ValidToken;

require 'vendor/autoload.php';

$daemon = new FakeClient();
$token = $daemon->verify($daemon->valid(['mvpdId' => 'Other']), 'REF30', 'TNT');
$misuses = [
    'a valid token is not changed' => fn () => $token->mvpdId = 'TBS',
    'a valid token is not made' => fn () => new ValidToken(),
    'a requestor has no default' => fn () => $daemon->verify('x', resource: 'TNT'),
    'null is no resource' => fn () => $daemon->verify('x', 'REF30', null),
];
foreach ($misuses as $what => $misuse) {
    try {
        $misuse();
        fwrite(STDERR, "not so: $what\n");
    } catch (Error) {
        echo "$what\n";
    }
}
