<?php

/** Runs where the kit is installed: misuse.php SOCKET < tokens. What a caller cannot do, or does without harm. */

declare(strict_types=1);

use MediaToken\Client;
use MediaToken\Document;
use MediaToken\Fault;
use MediaToken\NoAnswer;
use MediaToken\Refused;
use MediaToken\ValidToken;

require 'vendor/autoload.php';
require __DIR__ . '/says.php';

$daemon = new Client($argv[1], timeout: 300);
$tokens = explode("\n", trim(stream_get_contents(STDIN)));
$text = array_pop($tokens);
$token = $daemon->verify($text, 'REF30', 'TNT');
$refused = $fault = null;
try {
    (static fn (string $received) => $daemon->verify($received, 'REF30', 'TBS'))($text);
} catch (Refused $error) {
    $refused = $error;
}
try {
    $daemon->verify($text, 'REF30', new Document('<rss>' . $token->sessionGUID()));
} catch (Fault $error) {
    $fault = $error;
}

// What only the client makes.
$refuses = static fn (string $text, string $class, string $words, Closure $call) => says($text, throws($class, $words, $call));
$restore = static fn () => unserialize('O:21:"MediaToken\\ValidToken":0:{}');
$refuses('a valid token has a private constructor', Error::class, 'private', static fn () => new ValidToken('', ''));
$refuses('a valid token is not made of stored bytes', LogicException::class, 'made by a Client', $restore);
$refuses('a valid token is not stored', LogicException::class, 'cannot be serialized', static fn () => serialize($token));
$refuses('a valid token is not cloned', Error::class, '__clone', static fn () => clone $token);
$refuses('a valid token gets no new members', Error::class, 'dynamic property', static function () use ($token) {
    $token->isFree = true;
});
$refuses('a valid token is not changed', Error::class, 'readonly', static function () use ($token) {
    $token->resourceID = 'TBS';
});
$refuses('a client is not stored', LogicException::class, 'cannot be serialized', static fn () => serialize($daemon));
$refuses('a client is not cloned', Error::class, '__clone', static fn () => clone $daemon);

// What is shown.
$shown = dumped($token, $refused, $fault, $daemon);
says('the test knows an account and details that could be shown', strlen($token->sessionGUID()) > 8
    && strlen($refused->detail()) > 8 && strlen($fault->detail()) > 8 && ini_get('zend.exception_ignore_args') === '0');
says('no dump has the account', !str_contains($shown, $token->sessionGUID()));
says('no dump has a token, not in the arguments of a trace either', !str_contains($shown, substr($text, 100, 24))
    && str_contains($refused->getTraceAsString(), 'verify()'));
says('no dump has a detail', !str_contains($shown, $refused->detail()) && !str_contains($shown, $fault->detail()));
says('the text of a valid token has name, use and request id', str_contains((string) $token, $token->identity)
    && str_contains((string) $token, 'use=first') && str_contains((string) $token, $token->requestID));
$named = new Client($argv[1], timeout: 300, requestIDHeader: 'X-Request-ID');
foreach (
    [
        'an id without its header' => static fn () => $daemon->verify($text, 'REF30', 'TNT', 'x'),
        'an id that cannot be sent' => static fn () => $named->verify($text, 'REF30', 'TNT', 'a b'),
    ] as $what => $ask
) {
    $misuse = null;
    try {
        $ask();
    } catch (InvalidArgumentException $error) {
        $misuse = $error;
    }
    $words = $misuse === null ? $text : dumped($misuse, $misuse->getTrace()) . $misuse;
    says("no trace of $what has the token", !str_contains($words, substr($text, 0, 18)));
}
$stored = unserialize(serialize($refused));
says('a stored refusal is one without its detail', $stored instanceof Refused && $stored->action === $refused->action
    && $stored->getMessage() === $refused->getMessage() && $stored->detail() === '');

// What is not asked; empty texts are among the cases of the conformance.
foreach ([['requestor', [null, 7]], ['resource', [null, []]]] as [$name, $values]) {
    foreach ($values as $value) {
        $asked = [$name => $value] + ['requestor' => 'REF30', 'resource' => 'TNT'];
        $refuses("what is no $name is not asked about: " . get_debug_type($value), TypeError::class, '', static fn () =>
            $daemon->verify($text, ...$asked));
    }
}
$refuses('a resource has no default', ArgumentCountError::class, 'few', static fn () => $daemon->verify($text, 'REF30'));
$long = '/' . str_repeat('a', 107);
$refuses('a path that PHP would cut is no address', InvalidArgumentException::class, '107', static fn () => new Client($long));
$members = static fn (int $count): string => implode(',', array_map(static fn (int $each) => "\"$each\":0", range(1, $count)));
$ask = static fn (int $count) => static fn () => (new Client('/nowhere'))->verifyDecision('{' . $members($count) . '}', 'REF30', 'TNT');
says('a decision that PHP would read for minutes is not read', throws(NoAnswer::class, '', $ask(8_192))
    && throws(Fault::class, 'bad-decision', $ask(8_193)));

// An application whose handler makes exceptions of warnings, those that are silenced, too.
set_error_handler(static fn (int $level, string $warning) => throw new ErrorException($warning));
$absent = new Client('/nowhere', timeout: 300);
says('warnings stay inside, and the handler stays', throws(NoAnswer::class, 'cannot connect', $absent->checkReady(...))
    && throws(ErrorException::class, 'nowhere', static fn () => fopen('/nowhere', 'r')));
