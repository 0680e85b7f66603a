<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\Fault;
use MediaToken\ForeignAnswer;
use MediaToken\Line;
use MediaToken\NotReady;
use MediaToken\Refused;
use MediaToken\ValidLine;
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
            throw self::faultOfAll($answer, $members, $named);
        }
        $identity = self::identity($members, $asked->identities);
        if ($members->text('verdict') !== 'VALID_TOKEN') {
            Members::expect($answer->status === 403 && $members->isNumber('number', 1, 63), self::CONTRADICTED);
            throw self::refused($members, $identity, $named);
        }
        Members::expect($answer->status === 200 && $members->isNumber('number', 0, 0), self::CONTRADICTED);
        $said = self::validLine($members, $identity) + [
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
        return self::made(ValidToken::class, $said);
    }

    /**
     * What came of each line.
     *
     * @param list<?string> $identities
     * @return list<Line>
     * @throws Fault|ForeignAnswer if it is not an answer line for line
     */
    public static function ofBatch(Answer $answer, array $identities): array
    {
        if ($answer->status !== 200) {
            $members = self::members($answer);
            $kind = $members->kind();
            Members::expect($kind !== 'verdict', 'no answer to a batch');
            throw $kind === 'error' ? self::error($answer, $members, false)
                : self::faultOfAll($answer, $members, $members->text('requestID', Members::REQUEST_ID));
        }
        Members::expect(($answer->fields['content-type'] ?? '') === 'application/x-ndjson', 'another content type');
        $texts = explode("\n", $answer->body());
        Members::expect(array_pop($texts) === '' && count($texts) === count($identities), 'another number of lines');
        $lines = [];
        foreach ($texts as $index => $text) {
            $lines[] = self::made(Line::class, ['outcome' => self::line($text, $index, $identities[$index])]);
        }
        return $lines;
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

    private static function line(#[\SensitiveParameter] string $text, int $index, ?string $identity): ValidLine|Refused|Fault
    {
        $members = new Members($text);
        $kind = $members->kind();
        $isAsked = $members->isNumber('line', $index + 1, $index + 1) && $members->isNumber('id', $index, $index);
        Members::expect($isAsked, 'a different line from the one that was asked for');
        if ($kind === 'error') {
            return new Fault('no verdict: bad-line', name: 'bad-line', status: 200, detail: $members->text('error'));
        }
        if ($kind === 'fault') {
            return self::fault($members, 200, null, null);
        }
        $named = self::identity($members, $identity === null ? [] : [$identity]);
        if ($members->text('verdict') !== 'VALID_TOKEN') {
            return self::refused($members, $named, null);
        }
        return self::made(ValidLine::class, self::validLine($members, $named));
    }

    /**
     * Makes what has a private constructor, so that no one else makes it by accident.
     *
     * @template Made of object
     * @param class-string<Made> $class
     * @param array<string, mixed> $said
     * @return Made
     */
    private static function made(string $class, #[\SensitiveParameter] array $said): object
    {
        static $makers = [];
        $makers[$class] ??= \Closure::bind(
            static fn (#[\SensitiveParameter] array $said): object => new $class(...$said),
            null,
            $class,
        );
        return $makers[$class]($said);
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

    /** @return array{identity: string, use: string} */
    private static function validLine(Members $members, ?string $identity): array
    {
        Members::expect($identity !== null, 'a valid token without a name');
        $isSaid = $members->text('action') === 'none' && $members->text('adobeCode') === 'VALID_TOKEN';
        Members::expect($isSaid, 'a verdict that its action contradicts');
        $use = $members->text('use');
        Members::expect(in_array($use, self::USES, true), 'an unknown use');
        return ['identity' => $identity, 'use' => $use];
    }

    private static function refused(Members $members, ?string $identity, ?string $requestID): Refused
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

    private static function faultOfAll(Answer $answer, Members $members, string $requestID): Fault
    {
        $isFault = $answer->status === 503 && $members->isNumber('number', 64, 127);
        Members::expect($isFault, 'a fault that its status or number contradicts');
        return self::fault($members, $answer->status, self::retryAfter($answer), $requestID);
    }

    private static function fault(Members $members, int $status, ?int $retryAfter, ?string $requestID): Fault
    {
        $name = $members->text('fault', Members::NAME);
        return new Fault("no verdict: $name", $name, $status, '', self::action($members), $retryAfter, $requestID);
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
