<?php

declare(strict_types=1);

namespace MediaToken;

/** In place of a requestor or a resource: the one of the daemon's configuration. */
enum Configured
{
    case ByDaemon;
}

/** A Media RSS document that the token's resource must be the same as, however it is spelled. */
final readonly class Document
{
    public function __construct(public string $text)
    {
    }
}

/** A channel: the token's resource must be this id, or a document whose channel has this title. */
final readonly class Channel
{
    public function __construct(public string $id)
    {
    }
}

/** Asks one daemon, each question on a connection of its own: what comes on one that is kept, cURL takes for the next answer. */
class Client
{
    /** The address is the path of the daemon's UNIX socket; the timeout, in seconds, is for a whole call; the header is the daemon's setting. */
    public function __construct(
        private readonly string $address,
        private readonly float $timeout = 5.0,
        private readonly ?string $requestIDHeader = null,
    ) {
    }

    /**
     * Asks about a token as it was received, and uses it up. Requestor and resource are what you are about to play, never what the
     * viewer or the token says. An id of yours, with a requestIDHeader, is new for each playback, and no one can guess it.
     *
     * @throws NotValid Refused or Unavailable: do not play
     */
    public function verify(
        #[\SensitiveParameter] string $token,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
        ?string $requestID = null,
    ): ValidToken {
        $told = self::told($requestor, $resource);
        // The daemon trims the space: a form has no empty values.
        $form = http_build_query(['token' => $token === '' ? ' ' : $token] + $told);
        return $this->ask($told, 'application/x-www-form-urlencoded', $form, $requestID);
    }

    /** The same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came. */
    public function verifyDecision(
        #[\SensitiveParameter] string $decision,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
        ?string $requestID = null,
    ): ValidToken {
        $told = self::told($requestor, $resource);
        // What is not one object could mean something else between members of ours.
        if (self::object($decision) === null) {
            throw new Unavailable('bad-decision', 400, why: 'expected one JSON object, as Adobe sent it');
        }
        $frame = json_encode(['decision' => 0] + $told, JSON_THROW_ON_ERROR);
        return $this->ask($told, 'application/json', substr_replace($frame, $decision, strlen('{"decision":'), 1), $requestID);
    }

    /** @return array{int, string, ?int} the answer's status and body, and when to ask again, if it says so */
    protected function exchange(array $fields, #[\SensitiveParameter] string $body): array
    {
        [$curl, $answer] = [curl_init('http://localhost/v1/verify'), ''];
        curl_setopt_array($curl, [
            CURLOPT_UNIX_SOCKET_PATH => $this->address,
            CURLOPT_PROXY => '',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ($this->timeout * 1_000)),
            CURLOPT_HTTPHEADER => ['Host: localhost', 'Connection: close', 'Expect:', ...$fields],
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $curl, #[\SensitiveParameter] string $part) use (&$answer): int {
                $answer .= $part;
                // Room for a token of the greatest length with every byte escaped.
                return strlen($answer) > 1 << 20 ? 0 : strlen($part);
            },
        ]);
        if (!curl_exec($curl)) {
            throw new Unavailable(why: curl_strerror(curl_errno($curl)) . '; check the address, and whether mediatokend runs');
        }
        return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $answer, curl_getinfo($curl, CURLINFO_RETRY_AFTER) ?: null];
    }

    /** @return array<string, string> what the daemon is told, besides what is asked about */
    private static function told(string|Configured $requestor, string|Document|Channel|Configured $resource): array
    {
        $told = ['requestor' => $requestor] + match (true) {
            $resource instanceof Document => ['resourceDocument' => $resource->text],
            $resource instanceof Channel => ['resourceChannel' => $resource->id],
            default => ['resource' => $resource],
        };
        if (in_array('', $told, true)) {
            throw new \InvalidArgumentException("expected a requestor and a resource, found an empty text; the daemon's own is Configured");
        }
        return array_filter($told, is_string(...));
    }

    /** @return ?array<array-key, mixed> null of what is not one JSON object */
    private static function object(#[\SensitiveParameter] string $text): ?array
    {
        $value = str_starts_with(ltrim($text, " \t\r\n"), '{') ? json_decode($text, true) : null;
        return is_array($value) ? $value : null;
    }

    /** What is neither clearly valid nor refused is Unavailable. */
    private function ask(array $told, string $type, #[\SensitiveParameter] string $question, ?string $requestID): ValidToken
    {
        $header = $this->requestIDHeader;
        if ($requestID !== null && ($header === null || preg_match('/\A[A-Za-z0-9._:+\/=@-]{1,128}\z/', $requestID) !== 1)) {
            throw new \InvalidArgumentException('expected requestIDHeader, and an id of 1 to 128 letters, digits and . _ - : + / = @');
        }
        $requestID ??= $header === null ? null : bin2hex(random_bytes(16));
        $fields = ["Content-Type: $type", ...($requestID === null ? [] : ["$header: $requestID"])];
        [$status, $body, $after] = $this->exchange($fields, $question);
        $said = self::object($body) ?? [];
        $text = static fn (string $name): string => is_string($said[$name] ?? null) ? $said[$name] : '';
        [$verdict, $id] = [$text('verdict'), $text('requestID')];
        $asked = ['requestor' => $text('requestorID'), 'resource' => $text('resourceID')];
        $isOurs = $requestID === null || $requestID === $id;
        if ($status === 200) {
            $isOurs = $isOurs && $verdict === 'VALID_TOKEN' && array_intersect_key($told, $asked) === array_intersect_key($asked, $told);
            return ($isOurs ? ValidToken::of($said) : null)
                ?? throw new Unavailable(status: 200, requestID: $requestID, why: 'not the answer to this question; check what listens there');
        }
        $rest = ['action' => $text('action') ?: 'retry', 'requestID' => $requestID ?? ($id ?: null), 'detail' => $text('detail')];
        if ($status === 403 && $isOurs && $verdict !== '' && $verdict !== 'VALID_TOKEN') {
            throw new Refused($verdict, $text('reason'), $text('adobeCode'), ...$rest);
        }
        if ($status === 403 && $text('error') === 'no-token-in-decision') {
            throw new Refused(null, 'no-token-in-decision', 'ERROR_UNKNOWN', ...$rest);
        }
        throw new Unavailable($text('fault') ?: $text('error') ?: 'NO_ANSWER', $status, $after, ...$rest);
    }
}
