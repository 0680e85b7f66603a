<?php

/** Runs where the kit is installed: inside.php SOCKET < tokens. Prints a line for each thing that holds. */

declare(strict_types=1);

use MediaToken\Client;
use MediaToken\Refused;
use MediaToken\Testing\FakeClient;
use MediaToken\Unavailable;
use MediaToken\ValidToken;

require 'vendor/autoload.php';

function says(string $what, bool $holds): void
{
    fwrite($holds ? STDOUT : STDERR, ($holds ? '' : 'not so: ') . "$what\n");
}

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
says('no dump has the account or a token', strlen($token->sessionGUID()) > 8 && !str_contains($shown, $token->sessionGUID())
    && !str_contains($shown, substr($text, 100, 24)) && ini_get('zend.exception_ignore_args') === '0');
says('a valid token is not changed', thrown(fn () => $token->resourceID = 'TBS') instanceof Error);
says('a valid token is not made', thrown(fn () => new ValidToken()) instanceof Error);
says('a requestor has no default', thrown(fn () => $daemon->verify($other, resource: 'TNT')) instanceof ArgumentCountError);
says('null is no resource', thrown(fn () => $daemon->verify($other, 'REF30', null)) instanceof TypeError);

$fake = new FakeClient();
$ask = fn (string $token) => $fake->verify($token, requestor: 'REF30', resource: 'TNT');
$made = $fake->valid(['mvpdId' => 'Other_MVPD']);
says("a double's token plays", $ask($made)->mvpdId === 'Other_MVPD');
says('once', thrown(fn () => $ask($made))->getMessage() === 'TOKEN_REPLAYED: already-used');
says('another text is no token', thrown(fn () => $ask($text)) instanceof Refused);
says('a refusal of the double', thrown(fn () => $ask($fake->refused('TOKEN_EXPIRED', 'too-old')))->reason === 'too-old');
says('a fault of the double', thrown(fn () => $ask($fake->unavailable('OUT_OF_MEMORY'))) instanceof Unavailable);
