<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\Fault;
use MediaToken\ForeignAnswer;
use MediaToken\NotReady;
use MediaToken\Refused;
use MediaToken\ValidToken;

/**
 * What an answer means, read by the letter (the kits' README, "How an answer is read"). What is not so is a ForeignAnswer.
 *
 * @internal
 */
final class Reading
{
    public const REQUEST_ID = '/\A[A-Za-z0-9._:+\/=@-]{1,128}\z/';
    private const NAME = '/\A[A-Z_]{1,64}\z/';
    private const WORD = '/\A[a-z0-9-]{1,64}\z/';
    private const DIGEST = '/\A[0-9a-f]{64}\z/';
    private const TIME = '/\A(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\z/';
    /** Those of texts; others may be anything. */
    private const FORMS = [
        'verdict' => self::NAME, 'fault' => self::NAME, 'adobeCode' => self::NAME, 'reason' => self::WORD, 'action' => self::WORD,
        'error' => self::WORD, 'identity' => self::DIGEST, 'keyFingerprint' => self::DIGEST, 'requestID' => self::REQUEST_ID,
        'issueTime' => self::TIME, 'expiresAt' => self::TIME, 'use' => '/\A(first|retry|not-enforced)\z/',
    ];
    private const LEVELS = 16;

    private readonly int $status;
    /** Seconds, if the daemon says when. */
    private readonly ?int $retryAfter;
    /** @var array<array-key, mixed> */
    private readonly array $members;
    /** Which of the outcomes it is. */
    private readonly string $kind;

    private function __construct(Answer $answer, string ...$kinds)
    {
        self::expect(($answer->fields['content-type'] ?? '') === 'application/json', 'another content type');
        $object = Json::object($answer->body(), self::LEVELS);
        self::expect($object !== null, 'not one JSON object that can be read in one way only');
        $this->members = get_object_vars($object);
        $found = array_values(array_filter($kinds, $this->has(...)));
        self::expect(count($found) === 1, 'not one outcome');
        $this->kind = $found[0];
        $this->status = $answer->status;
        $after = $answer->fields['retry-after'] ?? '';
        $this->retryAfter = preg_match('/\A[0-9]{1,5}\z/', $after) === 1 ? (int) $after : null;
    }

    /**
     * The valid token.
     *
     * @param ?string $requestID the one that was sent; null if the daemon chooses one
     * @throws Refused|Fault|ForeignAnswer
     */
    public static function ofToken(Answer $answer, Question $question, ?string $requestID): ValidToken
    {
        $read = new self($answer, 'verdict', 'fault', 'error');
        if ($read->kind === 'error') {
            throw $read->error($question->isDecision);
        }
        $named = $read->text('requestID');
        $isAsked = $requestID === null || $named === $requestID;
        self::expect($isAsked, "another request id; is the header the daemon's requestIDHeader?");
        if ($read->kind === 'fault') {
            $read->expectNumber(503, 64, 127);
            $name = $read->text('fault');
            throw new Fault("no verdict: $name", $name, 503, '', $read->action(), $read->retryAfter, $named);
        }
        $identity = $read->optional('identity');
        $isOurs = $identity === null ? $read->text('verdict') !== 'VALID_TOKEN' : in_array($identity, $question->identities, true);
        self::expect($isOurs, 'about a different token from the one that was sent');
        return $read->text('verdict') === 'VALID_TOKEN' ? $read->valid($question->names, $identity, $named)
            : throw $read->refused($identity, $named);
    }

    /**
     * Returns if it is ready.
     *
     * @throws NotReady|Fault|ForeignAnswer
     */
    public static function ofReadiness(Answer $answer): void
    {
        $read = new self($answer, 'status', 'verdict', 'fault', 'error');
        if ($read->kind === 'error') {
            throw $read->error(false);
        }
        if ($read->text('status') === 'not-ready') {
            self::expect($answer->status === 503, 'a status that the member contradicts');
            [$reason, $detail, $cure] = [$read->text('reason'), $read->text('detail'), $read->text('cure')];
            throw new NotReady("not ready: $reason", $reason, $detail, $cure, $read->retryAfter);
        }
        self::expect($read->text('status') === 'ready' && $answer->status === 200, 'no status');
    }

    /** @param array<string, string> $wanted */
    private function valid(array $wanted, string $identity, string $requestID): ValidToken
    {
        $this->expectNumber(200, 0, 0);
        $isSaid = $this->text('action') === 'none' && $this->text('adobeCode') === 'VALID_TOKEN';
        self::expect($isSaid, 'a verdict that its action contradicts');
        foreach (['requestor', 'resource'] as $name) {
            $isWanted = $this->text("{$name}ID") === ($wanted[$name] ?? $this->text("{$name}ID"));
            self::expect($isWanted, "a valid token for another $name");
        }
        $fields = $this->members['unknownFields'] ?? null;
        self::expect(is_array($fields) && array_filter($fields, is_string(...)) === $fields, self::without('unknownFields'));
        self::expect($this->isNumber('ttlMilliseconds', 0, 999_999_999_999), self::without('ttlMilliseconds'));
        $said = ['identity' => $identity, 'requestID' => $requestID, 'unknownFields' => $fields,
            'ttlMilliseconds' => $this->members['ttlMilliseconds']];
        foreach (['requestorID', 'resourceID', 'mvpdId', 'keyFingerprint', 'use', 'sessionGUID'] as $name) {
            $said[$name] = $this->text($name);
        }
        foreach (['issueTime', 'expiresAt'] as $name) {
            $said[$name] = $this->time($name);
        }
        foreach (['proxyMvpdId', 'viewerTag', 'handover'] as $name) {
            $said[$name] = $this->optional($name);
        }
        // Its constructor is private, so that no one else makes one by accident.
        static $make = null;
        $make ??= \Closure::bind(
            static fn (#[\SensitiveParameter] array $said): ValidToken => new ValidToken(...$said),
            null,
            ValidToken::class,
        );
        return $make($said);
    }

    private function refused(?string $identity, string $requestID): Refused
    {
        $this->expectNumber(403, 1, 63);
        [$verdict, $reason, $code] = [$this->text('verdict'), $this->text('reason'), $this->text('adobeCode')];
        [$action, $detail] = [$this->action(), $this->text('detail')];
        self::expect($code !== 'VALID_TOKEN', 'a verdict that its action contradicts');
        return new Refused("$verdict: $reason", $verdict, $reason, $detail, $action, $code, $identity, null, $requestID);
    }

    private function error(bool $isDecision): Refused|Fault
    {
        [$name, $detail] = [$this->text('error'), $this->text('detail')];
        self::expect($this->status >= 400 && $this->status <= 599, 'an error that its status contradicts');
        $action = $this->has('action') ? $this->action() : 'report';
        if ($name === 'no-token-in-decision') {
            self::expect($isDecision && $this->status === 403, 'about a decision that was not sent');
            $error = $this->optional('decisionError');
            return new Refused($name, reason: $name, detail: $detail, action: $action, decisionError: $error);
        }
        return new Fault("no verdict: $name ({$this->status})", $name, $this->status, $detail, $action, $this->retryAfter);
    }

    private static function expect(bool $holds, string $otherwise): void
    {
        $holds || throw new ForeignAnswer("foreign answer: $otherwise");
    }

    private static function without(string $name): string
    {
        return "without a member $name of its form";
    }

    private function has(string $name): bool
    {
        return array_key_exists($name, $this->members);
    }

    private function text(string $name): string
    {
        $value = $this->members[$name] ?? null;
        self::expect(is_string($value) && preg_match(self::FORMS[$name] ?? '//', $value) === 1, self::without($name));
        return $value;
    }

    private function optional(string $name): ?string
    {
        return $this->has($name) ? $this->text($name) : null;
    }

    /** Of anything that is not valid. */
    private function action(): string
    {
        self::expect($this->text('action') !== 'none', 'an outcome that its action contradicts');
        return $this->text('action');
    }

    private function isNumber(string $name, int $least, int $most): bool
    {
        $value = $this->members[$name] ?? null;
        return is_int($value) && $value >= $least && $value <= $most;
    }

    private function expectNumber(int $status, int $least, int $most): void
    {
        $isSo = $this->status === $status && $this->isNumber('number', $least, $most);
        self::expect($isSo, 'an outcome that its status or number contradicts');
    }

    private function time(string $name): \DateTimeImmutable
    {
        $text = $this->text($name);
        $time = \DateTimeImmutable::createFromFormat('!Y-m-d\TH:i:s.v\Z', $text, new \DateTimeZone('UTC'));
        // PHP makes 2 March of 30 February.
        self::expect($time !== false && $time->format('Y-m-d\TH:i:s.v\Z') === $text, self::without($name));
        return $time;
    }
}
