<?php

/** The kit's driver: what clients/README.md, "Conformance", asks of it. Its argument is Composer's autoload.php. */

declare(strict_types=1);

use MediaToken\Channel;
use MediaToken\Client;
use MediaToken\Configured;
use MediaToken\Document;

require $argv[1] ?? 'vendor/autoload.php';

const MEMBERS = [
    'ValidToken' => ['identity', 'requestorID', 'resourceID', 'mvpdId', 'sessionGUID', 'keyFingerprint', 'use', 'requestID', 'ttlMilliseconds',
        'issueTime', 'expiresAt', 'unknownFields', 'proxyMvpdId', 'viewerTag', 'handover'],
    'Refused' => ['verdict', 'reason', 'detail', 'action', 'adobeCode', 'requestID'],
    'Unavailable' => ['name', 'status', 'detail', 'action', 'retryAfter', 'requestID'],
];

/** What came of one question, and how long it took. */
function answer(Closure $ask, string $text): array
{
    $start = hrtime(true);
    try {
        $said = $ask($text);
    } catch (MediaToken\NotValid | TypeError | InvalidArgumentException $said) {
    }
    $nanoseconds = hrtime(true) - $start;
    $kind = substr($said::class, strlen('MediaToken\\'));
    $outcome = ['ValidToken' => 'valid', 'Refused' => 'refused', 'Unavailable' => 'unavailable'][$kind] ?? 'misuse';
    $shown = $outcome === 'misuse' ? '' : "$said" . print_r($said, true) . json_encode($said);
    $answer = ['nanoseconds' => $nanoseconds, 'outcome' => $outcome, 'text' => $shown];
    foreach (MEMBERS[$kind] ?? [] as $name) {
        $value = method_exists($said, $name) ? $said->$name() : $said->$name;
        $answer[$name] = $value instanceof DateTimeImmutable ? (int) $value->format('Uv') : $value;
    }
    return $answer;
}

/** What n processes say to the texts, each to every nth. */
function forked(Closure $ask, array $texts, int $processes): array
{
    for ($number = 0, $children = []; $number < $processes; $number++) {
        [$children[], $parent] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if (pcntl_fork() === 0) {
            $mine = array_filter($texts, fn ($index) => $index % $processes === $number, ARRAY_FILTER_USE_KEY);
            fwrite($parent, json_encode(array_map(fn ($text) => answer($ask, $text), $mine)));
            exit(0);
        }
        fclose($parent);
    }
    $answers = array_replace(...array_map(fn ($child) => json_decode(stream_get_contents($child), true), $children));
    ksort($answers);
    return $answers;
}

while (($text = fgets(STDIN)) !== false) {
    $line = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    if ($line['do'] === 'open') {
        $client = new Client($line['address'], $line['timeoutMilliseconds'] / 1000, $line['requestIDHeader'] ?? null);
        echo json_encode(['text' => print_r($client, true)]), "\n";
        continue;
    }
    $resource = isset($line['resourceDocument']) ? new Document($line['resourceDocument'])
        : (isset($line['resourceChannel']) ? new Channel($line['resourceChannel']) : $line['resource'] ?? Configured::ByDaemon);
    $question = [$line['requestor'] ?? Configured::ByDaemon, $resource, $line['requestID'] ?? null];
    $ask = static fn (#[SensitiveParameter] string $text) => $client->{$line['do']}($text, ...$question);
    $texts = array_map(base64_decode(...), $line['texts']);
    $answers = isset($line['processes']) ? forked($ask, $texts, $line['processes']) : array_map(fn ($text) => answer($ask, $text), $texts);
    echo json_encode(['answers' => $answers], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
}
