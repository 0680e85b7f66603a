<?php

declare(strict_types=1);

namespace MediaToken\Testing;

/**
 * For the tests of an application: a daemon that says about each token what the token was made to say.
 *
 * The client is the real one: in the application nothing changes but an address. A real daemon refuses all of these tokens. It is
 * a process of its own, which ends with this object.
 */
final class FakeDaemon
{
    private const MARK = '<signatureInfo>fake</signatureInfo>';

    /** For `new Client($fake->address)`. */
    public readonly string $address;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    /** @param string $requestIDHeader that of the client */
    public function __construct(string $requestIDHeader = '')
    {
        $program = 'require $argv[1]; ' . self::class . '::serve($argv[2]);';
        $command = [PHP_BINARY, '-r', $program, '--', __FILE__, $requestIDHeader];
        $this->process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $this->pipes)
            ?: throw new \RuntimeException('the fake daemon cannot be started');
        $this->address = 'http://' . trim((string) fgets($this->pipes[1]));
    }

    public function __destruct()
    {
        // The end of its input ends it.
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }

    /**
     * A token that plays once, for the requestor and resource that are asked for.
     *
     * @param array<string, mixed> $members of the daemon's answer
     */
    public static function valid(array $members = []): string
    {
        return self::made(200, $members + [
            'verdict' => 'VALID_TOKEN', 'number' => 0, 'mvpdId' => 'Sample_MVPD', 'sessionGUID' => 'fake',
            'issueTime' => '2026-01-01T00:00:00.000Z', 'expiresAt' => '2026-01-01T01:00:00.000Z',
            'ttlMilliseconds' => 3_600_000, 'keyFingerprint' => str_repeat('0', 64), 'unknownFields' => [],
            'use' => 'first', 'action' => 'none', 'adobeCode' => 'VALID_TOKEN',
        ]);
    }

    /** A token that is refused. */
    public static function refused(string $verdict, string $reason, string $action = 'new-token'): string
    {
        return self::made(403, ['verdict' => $verdict, 'number' => 1, 'reason' => $reason, 'detail' => 'a fake',
            'action' => $action, 'adobeCode' => 'ERROR_UNKNOWN']);
    }

    /** A token about which there is no verdict. */
    public static function fault(string $name, string $action = 'retry'): string
    {
        return self::made(503, ['fault' => $name, 'number' => 64, 'detail' => 'a fake', 'action' => $action]);
    }

    /** @param array<string, mixed> $members */
    private static function made(int $status, array $members): string
    {
        return self::MARK . $status . ' ' . bin2hex(random_bytes(16)) . ' ' . json_encode($members, JSON_THROW_ON_ERROR);
    }

    /** The process: one question at a time, each on a connection of its own. */
    public static function serve(string $header): void
    {
        $listener = stream_socket_server('tcp://127.0.0.1:0') ?: exit(1);
        echo stream_socket_get_name($listener, false), "\n";
        $used = [];
        while (true) {
            [$ready, $none] = [[$listener, STDIN], null];
            stream_select($ready, $none, $none, null);
            if (in_array(STDIN, $ready, true)) {
                return;
            }
            $connection = stream_socket_accept($listener) ?: exit(1);
            $head = '';
            while (!str_ends_with($head, "\r\n\r\n") && ($line = fgets($connection)) !== false) {
                $head .= $line;
            }
            preg_match('/^Content-Length: *(\d+)/im', $head, $length);
            parse_str($length ? (string) stream_get_contents($connection, (int) $length[1]) : '', $form);
            $name = preg_quote($header, '/');
            $id = $header !== '' && preg_match("/^$name: *(.*?)\r/im", $head, $found) ? $found[1] : 'fake';
            [$status, $members] = str_starts_with($head, 'GET') ? [200, ['status' => 'ready']] : self::said($form, $used);
            $body = json_encode(['requestID' => $id] + $members, JSON_THROW_ON_ERROR);
            fwrite($connection, "HTTP/1.1 $status Said\r\nContent-Type: application/json\r\nContent-Length: " . strlen($body)
                . "\r\nConnection: close\r\n\r\n$body");
            fclose($connection);
        }
    }

    /**
     * @param array<string, string> $form
     * @param array<string, true> $used
     * @return array{int, array<string, mixed>}
     */
    private static function said(array $form, array &$used): array
    {
        $token = $form['token'] ?? '';
        $isOurs = str_starts_with($token, self::MARK);
        $said = match (true) {
            !$isOurs => self::refused('INVALID_TOKEN_FORMAT', 'unknown-form'),
            isset($used[$token]) => self::refused('TOKEN_REPLAYED', 'already-used'),
            default => $token,
        };
        [$status, , $text] = explode(' ', substr($said, strlen(self::MARK)), 3);
        $members = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        if ($isOurs) {
            $members['identity'] = hash('sha256', substr($token, strlen(self::MARK)));
        }
        if ($status === '200') {
            $used[$token] = true;
            $members += ['requestorID' => $form['requestor'] ?? 'FAKE', 'resourceID' => $form['resource'] ?? 'fake'];
        }
        return [(int) $status, $members];
    }
}
