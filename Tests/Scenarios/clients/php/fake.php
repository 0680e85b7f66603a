<?php

/** The fake daemon of the kit, as an application's tests use it. */

declare(strict_types=1);

require __DIR__ . '/says.php';
require 'vendor/autoload.php';

use MediaToken\Client;
use MediaToken\Fault;
use MediaToken\Refused;
use MediaToken\Testing\FakeDaemon;

$fake = new FakeDaemon('X-Request-ID');
$client = new Client($fake->address, requestIDHeader: 'X-Request-ID');
$ask = fn (string $token) => $client->verify($token, requestor: 'REF30', resource: 'TNT', requestID: 'mine');
$token = FakeDaemon::valid(['mvpdId' => 'Other_MVPD']);
$valid = $ask($token);
$said = [$valid->requestorID, $valid->resourceID, $valid->mvpdId, $valid->requestID];
says("a token of the fake's plays, and says what it was made to say", $said === ['REF30', 'TNT', 'Other_MVPD', 'mine']);
says('it plays once', throws(Refused::class, 'already-used', fn () => $ask($token)));
says('another text is no token', throws(Refused::class, 'unknown-form', fn () => $ask('PHNpZ25hdHVyZUluZm8+')));
$late = FakeDaemon::refused('TOKEN_EXPIRED', 'too-old');
says('a refusal is the one that was asked for', throws(Refused::class, 'too-old', fn () => $ask($late)));
$full = FakeDaemon::fault('REPLAY_MEMORY_FULL');
says('a fault is one', throws(Fault::class, 'REPLAY_MEMORY_FULL', fn () => $ask($full)));
$client->checkReady();
says('the fake is ready', true);
