<?php

declare(strict_types=1);

namespace MediaToken\Testing;

use MediaToken\Client;

/** For the tests of an application: a client without a daemon. It makes the tokens about which it is asked. */
final class FakeClient extends Client
{
    /** @var array<string, array{int, array<string, mixed>}> answers to the tokens that were made */
    private array $answers = [];

    public function __construct()
    {
        parent::__construct('/nowhere');
    }

    /**
     * A token that plays once, for the requestor and resource that are asked for.
     *
     * @param array<string, mixed> $members of the daemon's answer
     */
    public function valid(array $members = []): string
    {
        return $this->made(200, $members + ['verdict' => 'VALID_TOKEN', 'identity' => hash('sha256', (string) count($this->answers)),
            'mvpdId' => 'Sample_MVPD', 'sessionGUID' => 'an account', 'issueTime' => '2026-01-01T00:00:00.000Z',
            'expiresAt' => '2026-01-01T01:00:00.000Z', 'ttlMilliseconds' => 3_600_000, 'keyFingerprint' => str_repeat('0', 64),
            'unknownFields' => [], 'use' => 'first', 'requestID' => 'fake']);
    }

    public function refused(string $verdict, string $reason, string $action = 'new-token'): string
    {
        return $this->made(403, ['verdict' => $verdict, 'reason' => $reason, 'action' => $action, 'adobeCode' => 'ERROR_UNKNOWN']);
    }

    public function unavailable(string $name, string $action = 'retry'): string
    {
        return $this->made(503, ['fault' => $name, 'action' => $action]);
    }

    protected function exchange(array $fields, #[\SensitiveParameter] string $body): array
    {
        parse_str($body, $form);
        $this->answers[''] = [403, ['verdict' => 'INVALID_TOKEN_FORMAT', 'reason' => 'unknown-form', 'action' => 'new-token']];
        [$status, $said] = $this->answers[$form['token'] ?? ''] ?? $this->answers[''];
        if ($status === 200) {
            $this->answers[$form['token']] = $this->answers[$this->refused('TOKEN_REPLAYED', 'already-used')];
        }
        $said += ['requestorID' => $form['requestor'] ?? 'FAKE', 'resourceID' => $form['resource'] ?? 'fake'];
        return [$status, json_encode($said, JSON_THROW_ON_ERROR), null];
    }

    private function made(int $status, array $said): string
    {
        $this->answers[$token = 'fake-' . bin2hex(random_bytes(8))] = [$status, $said];
        return $token;
    }
}
