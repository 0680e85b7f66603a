<?php

/** The kit's driver: what clients/README.md, "Conformance", asks of it. Its argument is Composer's autoload.php. */

declare(strict_types=1);

use MediaToken\{Channel, Client, Configured, Document, NotValid};
use MediaToken\Testing\FakeClient;

require $argv[1] ?? 'vendor/autoload.php';

/** What came of one question, and how long it took. The text is an argument that no log may have. */
function answer(Closure $ask, string $text): array
{
    $start = hrtime(true);
    try {
        $said = $ask($text);
    } catch (NotValid | TypeError | InvalidArgumentException $said) {
    }
    $nanoseconds = hrtime(true) - $start;
    $members = get_object_vars($said);
    foreach (['sessionGUID', 'handover', 'detail'] as $name) {
        $members[$name] = method_exists($said, $name) ? $said->$name() : null;
    }
    foreach (array_intersect_key($members, ['issueTime' => 0, 'expiresAt' => 0]) as $name => $time) {
        $members[$name] = $time->format(DATE_RFC3339_EXTENDED);
    }
    // Of a misuse PHP shows all arguments, the application's.
    $shown = $said instanceof InvalidArgumentException ? '' : "$said" . print_r($said, true) . json_encode($said);
    return ['outcome' => $said::class, 'nanoseconds' => $nanoseconds, 'text' => $shown, 'members' => $members];
}

$client = $fake = new FakeClient();
while (($text = fgets(STDIN)) !== false) {
    $line = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    $child = isset($line['child']) ? pcntl_fork() : null;
    if ($child > 0) {
        pcntl_wait($status); // The child answers.
        continue;
    }
    $said = ['texts' => [$fake->valid(), $fake->refused('TOKEN_EXPIRED', 'too-old'), $fake->unavailable('OUT_OF_MEMORY')]];
    if ($line['do'] === 'open') {
        $client = new Client($line['address'], $line['timeoutMilliseconds'] / 1000, $line['requestIDHeader'] ?? null);
        $said['text'] = print_r($client, true);
    }
    $resource = isset($line['resourceDocument']) ? new Document($line['resourceDocument'])
        : (isset($line['resourceChannel']) ? new Channel($line['resourceChannel']) : $line['resource'] ?? Configured::ByDaemon);
    $question = [$line['requestor'] ?? Configured::ByDaemon, $resource, $line['requestID'] ?? null];
    $ask = fn (#[SensitiveParameter] string $text) => $client->{$line['do']}($text, ...$question);
    foreach ($line['texts'] ?? [] as $text) {
        $said['answers'][] = answer($ask, base64_decode($text));
    }
    echo json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
    if ($child === 0) {
        exit(0);
    }
}
