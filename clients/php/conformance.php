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
    $answer = ['nanoseconds' => hrtime(true) - $start, 'outcome' => 'misuse', 'text' => ''];
    $kind = substr($said::class, strlen('MediaToken\\'));
    foreach (MEMBERS[$kind] ?? [] as $name) {
        $answer['text'] = "$said" . print_r($said, true) . json_encode($said);
        $value = method_exists($said, $name) ? $said->$name() : $said->$name;
        $answer[$name] = $value instanceof DateTimeImmutable ? (int) $value->format('Uv') : $value;
        $answer['outcome'] = $kind === 'ValidToken' ? 'valid' : strtolower($kind);
    }
    return $answer;
}

/** What n processes say to the texts, each to every nth. */
function forked(Closure $ask, array $texts, int $processes): array
{
    for ($number = 0; $number < $processes; $number++) {
        if (pcntl_fork() === 0) {
            foreach ($texts as $index => $text) {
                $index % $processes !== $number ?: $mine[$index] = answer($ask, $text);
            }
            file_put_contents(sys_get_temp_dir() . '/mediatoken-' . posix_getppid() . ".$number", json_encode($mine ?? []));
            exit(0);
        }
    }
    for ($number = 0, $answers = []; $number < $processes; $number++) {
        pcntl_wait($status);
    }
    foreach (glob(sys_get_temp_dir() . '/mediatoken-' . getmypid() . '.*') as $file) {
        $answers += json_decode(file_get_contents($file), true);
        unlink($file);
    }
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
    $resource = $line['resource'] ?? Configured::ByDaemon;
    $resource = isset($line['resourceDocument']) ? new Document($line['resourceDocument']) : $resource;
    $resource = isset($line['resourceChannel']) ? new Channel($line['resourceChannel']) : $resource;
    $call = $line['do'] === 'verifyDecision' ? $client->verifyDecision(...) : $client->verify(...);
    $ask = static fn (#[SensitiveParameter] string $text) => $call($text, $line['requestor'] ?? Configured::ByDaemon, $resource, $line['requestID'] ?? null);
    $texts = array_map(base64_decode(...), $line['texts']);
    $answers = isset($line['processes']) ? forked($ask, $texts, $line['processes']) : array_map(fn ($text) => answer($ask, $text), $texts);
    echo json_encode(['answers' => $answers], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
}
