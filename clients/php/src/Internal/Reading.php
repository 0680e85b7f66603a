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
    private const USES = ['first', 'retry', 'not-enforced'];
    private const CONTRADICTED = 'a verdict that its status or number contradicts';

    /**
     * The valid token.
     *
     * @param ?string $requestID the one that was sent; null if the daemon chooses one
     * @throws Refused|Fault|ForeignAnswer
     */
    public static function ofToken(Answer $answer, Asked $asked, ?string $requestID): ValidToken
    {
        $members = self::members($answer);
        $kind = $members->kind();
        if ($kind === 'error') {
            throw self::error($answer, $members, $asked->isDecision);
        }
        $named = $members->text('requestID', Members::REQUEST_ID);
        $isAsked = $requestID === null || $named === $requestID;
        Members::expect($isAsked, "another request id; is the header the daemon's requestIDHeader?");
        if ($kind === 'fault') {
            throw self::fault($answer, $members, $named);
        }
        $identity = self::identity($members, $asked->identities);
        if ($members->text('verdict') !== 'VALID_TOKEN') {
            Members::expect($answer->status === 403 && $members->isNumber('number', 1, 63), self::CONTRADICTED);
            throw self::refused($members, $identity, $named);
        }
        Members::expect($answer->status === 200 && $members->isNumber('number', 0, 0), self::CONTRADICTED);
        $said = [
            'identity' => $identity,
            'use' => self::used($members, $identity),
            'requestorID' => $members->text('requestorID'),
            'resourceID' => $members->text('resourceID'),
            'mvpdId' => $members->text('mvpdId'),
            'proxyMvpdId' => $members->optional('proxyMvpdId'),
            'issueTime' => $members->time('issueTime'),
            'expiresAt' => $members->time('expiresAt'),
            'ttlMilliseconds' => $members->number('ttlMilliseconds'),
            'keyFingerprint' => $members->text('keyFingerprint', Members::DIGEST),
            'unknownFields' => $members->texts('unknownFields'),
            'viewerTag' => $members->optional('viewerTag'),
            'requestID' => $named,
            'sessionGUID' => $members->text('sessionGUID'),
            'handover' => $members->optional('handover'),
        ];
        foreach (['requestor' => $asked->requestor, 'resource' => $asked->resource] as $name => $wanted) {
            Members::expect($wanted === null || $said["{$name}ID"] === $wanted, "a valid token for another $name");
        }
        return self::valid($said);
    }

    /**
     * Returns if it is ready.
     *
     * @throws NotReady|Fault|ForeignAnswer
     */
    public static function ofReadiness(Answer $answer): void
    {
        $members = self::members($answer);
        if (!$members->has('status')) {
            Members::expect($members->kind() === 'error', 'no status');
            throw self::error($answer, $members, false);
        }
        Members::expect(!$members->has('verdict') && !$members->has('fault') && !$members->has('error'), 'two outcomes');
        $status = $members->text('status');
        if ($status === 'not-ready') {
            Members::expect($answer->status === 503, 'a status that the member contradicts');
            $reason = $members->text('reason', Members::WORD);
            [$detail, $cure] = [$members->text('detail'), $members->text('cure')];
            throw new NotReady("not ready: $reason", $reason, $detail, $cure, self::retryAfter($answer));
        }
        Members::expect($status === 'ready' && $answer->status === 200, 'no status');
    }

    /**
     * Its constructor is private, so that no one else makes one by accident.
     *
     * @param array<string, mixed> $said
     */
    private static function valid(#[\SensitiveParameter] array $said): ValidToken
    {
        static $make = null;
        $make ??= \Closure::bind(
            static fn (#[\SensitiveParameter] array $said): ValidToken => new ValidToken(...$said),
            null,
            ValidToken::class,
        );
        return $make($said);
    }

    private static function members(Answer $answer): Members
    {
        Members::expect(($answer->fields['content-type'] ?? '') === 'application/json', 'another content type');
        return new Members($answer->body());
    }

    /** @param list<string> $expected */
    private static function identity(Members $members, array $expected): ?string
    {
        if (!$members->has('identity')) {
            return null;
        }
        $identity = $members->text('identity', Members::DIGEST);
        Members::expect(in_array($identity, $expected, true), 'about a different token from the one that was sent');
        return $identity;
    }

    private static function used(Members $members, ?string $identity): string
    {
        Members::expect($identity !== null, 'a valid token without a name');
        $isSaid = $members->text('action') === 'none' && $members->text('adobeCode') === 'VALID_TOKEN';
        Members::expect($isSaid, 'a verdict that its action contradicts');
        $use = $members->text('use');
        Members::expect(in_array($use, self::USES, true), 'an unknown use');
        return $use;
    }

    private static function refused(Members $members, ?string $identity, string $requestID): Refused
    {
        [$verdict, $reason] = [$members->text('verdict', Members::NAME), $members->text('reason', Members::WORD)];
        [$action, $code] = [self::action($members), $members->text('adobeCode', Members::NAME)];
        Members::expect($code !== 'VALID_TOKEN', 'a verdict that its action contradicts');
        return new Refused(
            "$verdict: $reason",
            $verdict,
            $reason,
            $members->text('detail'),
            $action,
            $code,
            $identity,
            requestID: $requestID,
        );
    }

    private static function fault(Answer $answer, Members $members, string $requestID): Fault
    {
        $isFault = $answer->status === 503 && $members->isNumber('number', 64, 127);
        Members::expect($isFault, 'a fault that its status or number contradicts');
        $name = $members->text('fault', Members::NAME);
        $action = self::action($members);
        return new Fault("no verdict: $name", $name, $answer->status, '', $action, self::retryAfter($answer), $requestID);
    }

    private static function error(Answer $answer, Members $members, bool $isDecision): Refused|Fault
    {
        [$name, $detail] = [$members->text('error', Members::WORD), $members->text('detail')];
        Members::expect($answer->status >= 400 && $answer->status <= 599, 'an error that its status contradicts');
        $action = $members->has('action') ? self::action($members) : 'report';
        if ($name === 'no-token-in-decision') {
            Members::expect($isDecision && $answer->status === 403, 'about a decision that was not sent');
            return new Refused(
                $name,
                reason: $name,
                detail: $detail,
                action: $action,
                decisionError: $members->optional('decisionError'),
            );
        }
        $message = "no verdict: $name ({$answer->status})";
        return new Fault($message, $name, $answer->status, $detail, $action, self::retryAfter($answer));
    }

    private static function action(Members $members): string
    {
        $action = $members->text('action', Members::WORD);
        Members::expect($action !== 'none', 'an outcome that its action contradicts');
        return $action;
    }

    private static function retryAfter(Answer $answer): ?int
    {
        $value = $answer->fields['retry-after'] ?? '';
        return preg_match('/\A[0-9]{1,5}\z/', $value) === 1 ? (int) $value : null;
    }
}
