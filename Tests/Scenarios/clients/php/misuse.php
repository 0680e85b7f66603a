<?php

/** Runs where the kit is installed: misuse.php SOCKET < tokens. What a caller cannot do, or does without harm. */

declare(strict_types=1);

use MediaToken\Channel;
use MediaToken\Client;
use MediaToken\Configured;
use MediaToken\Document;
use MediaToken\Fault;
use MediaToken\NoAnswer;
use MediaToken\NotValid;
use MediaToken\Refused;
use MediaToken\ValidToken;

require 'vendor/autoload.php';
require __DIR__ . '/says.php';

$daemon = new Client($argv[1], timeout: 300);
$tokens = explode("\n", trim(stream_get_contents(STDIN)));
$take = static function () use (&$tokens): string {
    return array_pop($tokens);
};

$text = $take();
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
says('a valid token has a private constructor', throws(Error::class, 'private', static fn () => new ValidToken('', '')));
$restore = static fn () => unserialize('O:21:"MediaToken\\ValidToken":0:{}');
says('and is not made of stored bytes', throws(LogicException::class, 'made by a Client', $restore));
says('nor stored', throws(LogicException::class, 'cannot be serialized', static fn () => serialize($token)));
says('nor cloned', throws(Error::class, '__clone', static fn () => clone $token));
says('nor given members', throws(Error::class, 'dynamic property', static function () use ($token) {
    $token->isFree = true;
}));
says('nor extended', (new ReflectionClass(ValidToken::class))->isFinal());
says('a valid token is not changed', throws(Error::class, 'readonly', static function () use ($token) {
    $token->resourceID = 'TBS';
}));
$store = static fn () => serialize($daemon);
says('a client is neither stored nor cloned', throws(LogicException::class, 'cannot be serialized', $store)
    && throws(Error::class, '__clone', static fn () => clone $daemon));

// What is shown.
$shown = dumped($token, $refused, $fault, $daemon);
says('there are secrets that could be', strlen($token->sessionGUID()) > 8 && strlen($refused->detail()) > 8
    && strlen($fault->detail()) > 8 && ini_get('zend.exception_ignore_args') === '0');
says('no dump has the account', !str_contains($shown, $token->sessionGUID()));
says('nor a token, not in the arguments of a trace either', !str_contains($shown, substr($text, 100, 24))
    && str_contains($refused->getTraceAsString(), 'verify()'));
says('nor what is for people', !str_contains($shown, $refused->detail()) && !str_contains($shown, $fault->detail()));
says('but the name, the use and the id of the request', str_contains((string) $token, $token->identity)
    && str_contains((string) $token, 'use=first') && str_contains((string) $token, $token->requestID));
$named = new Client($argv[1], timeout: 300, requestIDHeader: 'X-Request-ID');
$decision = '{"decisions":[{"resource":"TNT","authorized":true,"token":{"serializedToken":"' . $text . '"}}]}';
foreach (
    [
        'an id without its header' => static fn () => $daemon->verify($text, 'REF30', 'TNT', 'x'),
        'an id that cannot be sent' => static fn () => $named->verify($text, 'REF30', 'TNT', 'a b'),
        'a decision with such an id' => static fn () => $named->verifyDecision($decision, 'REF30', 'TNT', 'a b'),
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

// What is not asked.
$cases = [
    ['requestor', TypeError::class, [null, 7]],
    ['requestor', InvalidArgumentException::class, ['', "\xff"]],
    ['resource', TypeError::class, [null, []]],
    ['resource', InvalidArgumentException::class, ['', new Document(''), new Channel('')]],
];
foreach ($cases as [$name, $class, $values]) {
    foreach ($values as $value) {
        $asked = [$name => $value] + ['requestor' => 'REF30', 'resource' => 'TNT'];
        $ask = static fn () => $daemon->verify($text, ...$asked);
        says("what is no $name is not asked about: " . get_debug_type($value), throws($class, '', $ask));
    }
}
says('neither has a default', throws(ArgumentCountError::class, 'few', static fn () => $daemon->verify($text, 'REF30')));
says('a token is a text', throws(TypeError::class, 'token', static fn () => $daemon->verify(null, 'REF30', 'TNT')));
says('an empty one is refused', throws(Refused::class, 'empty', static fn () => $daemon->verify('', 'REF30', 'TNT')));
says('one of any bytes, too', throws(Refused::class, 'INVALID', static fn () => $daemon->verify("\xed\xa0\x80\0", 'REF30', 'TNT')));
says('what the daemon is configured for', $daemon->verify($take(), Configured::ByDaemon, 'TNT')->requestorID === 'REF30');
$long = '/' . str_repeat('a', 107);
says('a path that PHP would cut is no address', throws(InvalidArgumentException::class, '107', static fn () => new Client($long)));
$members = static fn (int $count): string => implode(',', array_map(static fn (int $each) => "\"$each\":0", range(1, $count)));
$ask = static fn (int $count) => static fn () => (new Client('/nowhere'))->verifyDecision('{' . $members($count) . '}', 'REF30', 'TNT');
says('a decision that PHP would read for minutes is not read', throws(NoAnswer::class, '', $ask(8_192))
    && throws(Fault::class, 'bad-decision', $ask(8_193)));

// An application whose handler makes exceptions of warnings, those that are silenced, too.
set_error_handler(static fn (int $level, string $warning) => throw new ErrorException($warning));
$absent = new Client('/nowhere', timeout: 300);
says('warnings stay inside', throws(NoAnswer::class, 'cannot connect', $absent->checkReady(...)));
says('and the handler stays', throws(ErrorException::class, 'nowhere', static fn () => fopen('/nowhere', 'r')));
