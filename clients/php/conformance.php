<?php

/** The kit's driver: what clients/README.md, "Conformance", asks of it. Its argument is Composer's autoload.php. */

declare(strict_types=1);

use MediaToken\Channel;
use MediaToken\Client;
use MediaToken\Configured;
use MediaToken\Document;
use MediaToken\Fault;
use MediaToken\ForeignAnswer;
use MediaToken\NoAnswer;
use MediaToken\NotReady;
use MediaToken\NotValid;
use MediaToken\Refused;
use MediaToken\ValidToken;

require $argv[1] ?? 'vendor/autoload.php';
require __DIR__ . '/dumped.php';

/** The arguments of a question. */
function asked(array $line): array
{
    $resource = match (true) {
        isset($line['resource']) => $line['resource'],
        isset($line['resourceDocument']) => new Document($line['resourceDocument']),
        isset($line['resourceChannel']) => new Channel($line['resourceChannel']),
        default => Configured::ByDaemon,
    };
    return ['requestor' => $line['requestor'] ?? Configured::ByDaemon, 'resource' => $resource];
}

function valid(ValidToken $token): array
{
    $milliseconds = static fn (DateTimeImmutable $time): int => (int) $time->format('Uv');
    return array_filter([
        'outcome' => 'valid', 'identity' => $token->identity, 'use' => $token->use, 'requestID' => $token->requestID,
        'requestorID' => $token->requestorID, 'resourceID' => $token->resourceID, 'mvpdId' => $token->mvpdId,
        'sessionGUID' => $token->sessionGUID(), 'issueTime' => $milliseconds($token->issueTime),
        'expiresAt' => $milliseconds($token->expiresAt), 'ttlMilliseconds' => $token->ttlMilliseconds,
        'keyFingerprint' => $token->keyFingerprint, 'unknownFields' => $token->unknownFields,
        'proxyMvpdId' => $token->proxyMvpdId, 'viewerTag' => $token->viewerTag, 'handover' => $token->handover(),
    ], static fn (mixed $value): bool => $value !== null) + ['text' => dumped($token)];
}

function failed(Throwable $error): array
{
    $said = match (true) {
        $error instanceof Refused => [
            'outcome' => 'refused', 'reason' => $error->reason, 'detail' => $error->detail(), 'adobeCode' => $error->adobeCode,
            'identity' => $error->identity, 'requestID' => $error->requestID, 'decisionError' => $error->decisionError(),
        ],
        $error instanceof Fault => [
            'outcome' => 'fault', 'name' => $error->name, 'status' => $error->status, 'retryAfter' => $error->retryAfter,
        ],
        $error instanceof NotReady => ['outcome' => 'not-ready', 'reason' => $error->reason, 'retryAfter' => $error->retryAfter],
        $error instanceof NoAnswer => ['outcome' => 'no-answer'],
        $error instanceof ForeignAnswer => ['outcome' => 'foreign'],
        default => ['outcome' => 'misuse'],
    };
    $said += ['action' => $error instanceof NotValid ? $error->action : null, 'text' => dumped($error)];
    return array_filter($said, static fn (mixed $value): bool => $value !== null)
        + ($error instanceof Refused ? ['verdict' => $error->verdict] : []);
}

function opened(array $line): Client
{
    $window = $line['retryWindowMilliseconds'] ?? null;
    return new Client(
        $line['address'],
        timeout: $line['timeoutMilliseconds'] / 1000,
        requestIDHeader: $line['requestIDHeader'] ?? null,
        retryWindow: $window === null ? null : $window / 1000,
        idleConnections: $line['idleConnections'] ?? 8,
    );
}

/** How long each call took, in nanoseconds. A token that is not valid ends it. */
function measured(Client $client, array $line): array
{
    [$tokens, $times] = [array_map(base64_decode(...), $line['tokens']), []];
    foreach ($tokens as $token) {
        $start = hrtime(true);
        $client->verify($token, $line['requestor'], $line['resource']);
        $times[] = hrtime(true) - $start;
    }
    return ['outcome' => 'measured', 'nanoseconds' => $times, 'text' => ''];
}

/** What came of each of many calls: one after the other, as a process of PHP has one thread. */
function atOnce(Client $client, array $line): array
{
    $outcomes = [];
    foreach ($line['tokens'] as $token) {
        try {
            $client->verify(base64_decode($token), $line['requestor'], $line['resource']);
            $outcomes[] = 'valid';
        } catch (NotValid $error) {
            $outcomes[] = failed($error)['outcome'];
        }
    }
    return ['outcome' => 'at-once', 'outcomes' => $outcomes, 'text' => ''];
}

function said(Client $client, array $line): array
{
    $requestID = ['requestID' => $line['requestID'] ?? null];
    switch ($line['do']) {
        case 'atOnce':
            return atOnce($client, $line);
        case 'measure':
            return measured($client, $line);
        case 'ready':
            $client->checkReady();
            return ['outcome' => 'ready', 'text' => dumped($client)];
        case 'verifyDecision':
            return valid($client->verifyDecision(base64_decode($line['decision']), ...asked($line), ...$requestID));
        default:
            return valid($client->verify(base64_decode($line['token']), ...asked($line), ...$requestID));
    }
}

$client = null;
while (($text = fgets(STDIN)) !== false) {
    $line = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    try {
        if ($line['do'] === 'open') {
            $client = opened($line);
            $answer = ['outcome' => 'opened', 'text' => dumped($client)];
        } else {
            $answer = said($client, $line);
        }
    } catch (NotValid | NotReady | TypeError | InvalidArgumentException $error) {
        $answer = failed($error);
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
