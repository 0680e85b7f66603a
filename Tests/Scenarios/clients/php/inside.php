<?php

/** Runs where the kit is installed: inside.php SOCKET < tokens. Prints a line for each thing that holds. */

declare(strict_types=1);

use MediaToken\{Client, Refused, Unavailable, ValidToken};
use MediaToken\Testing\FakeClient;

require 'vendor/autoload.php';

/** What a call throws. */
function thrown(Closure $call): ?Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error;
    }
    return null;
}

$daemon = new Client($argv[1], timeout: 300);
[$text, $other] = explode("\n", trim(stream_get_contents(STDIN)));
$token = $daemon->verify($text, 'REF30', 'TNT');
$refused = thrown(fn () => $daemon->verify($text, 'REF30', 'TNT'));
$shown = print_r([$token, $refused], true) . json_encode([$token, $refused]) . "$token$refused";
$fake = new FakeClient();
$ask = fn (string $token) => $fake->verify($token, requestor: 'REF30', resource: 'TNT');
$made = $fake->valid(['mvpdId' => 'Other_MVPD']);
foreach (
    [
        'no dump has the account or a token' => strlen($token->sessionGUID()) > 8 && !str_contains($shown, $token->sessionGUID())
            && !str_contains($shown, substr($text, 100, 24)) && ini_get('zend.exception_ignore_args') === '0',
        'a valid token is not changed' => thrown(fn () => $token->resourceID = 'TBS') instanceof Error,
        'a valid token is not made' => thrown(fn () => new ValidToken()) instanceof Error,
        'a requestor has no default' => thrown(fn () => $daemon->verify($other, resource: 'TNT')) instanceof ArgumentCountError,
        'null is no resource' => thrown(fn () => $daemon->verify($other, 'REF30', null)) instanceof TypeError,
        "a double's token plays" => $ask($made)->mvpdId === 'Other_MVPD',
        'once' => thrown(fn () => $ask($made))->getMessage() === 'TOKEN_REPLAYED: already-used',
        'another text is no token' => thrown(fn () => $ask($text)) instanceof Refused,
        'a refusal of the double' => thrown(fn () => $ask($fake->refused('TOKEN_EXPIRED', 'too-old')))->reason === 'too-old',
        'a fault of the double' => thrown(fn () => $ask($fake->unavailable('OUT_OF_MEMORY'))) instanceof Unavailable,
    ] as $what => $holds
) {
    fwrite($holds ? STDOUT : STDERR, ($holds ? '' : 'not so: ') . "$what\n");
}
