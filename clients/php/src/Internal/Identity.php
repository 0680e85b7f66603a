<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed.
 *
 * Nothing is verified here, and spellings that the daemon refuses are read too: it gives those tokens no name.
 *
 * @internal
 */
final class Identity
{
    private const SPACE = " \t\r\n";
    private const OPENING = '<signatureInfo>';
    private const CLOSING = '</signatureInfo>';
    /** As many as the daemon reads of a decision. */
    private const DECISION_LEVELS = 32;

    /** The name; null of what is no token. */
    public static function ofToken(#[\SensitiveParameter] string $received): ?string
    {
        $token = self::withoutArmor($received);
        if (!str_starts_with($token, self::OPENING)) {
            return null;
        }
        $second = strpos($token, '<', strlen(self::OPENING));
        if ($second === false || $second === strlen(self::OPENING)) {
            return null;
        }
        foreach ([self::OPENING, self::CLOSING] as $marker) {
            if (substr_compare($token, $marker, $second, strlen($marker)) === 0) {
                $signed = substr($token, $second + strlen($marker));
                return $signed === '' ? null : hash('sha256', $signed);
            }
        }
        return null;
    }

    /**
     * The names of all tokens in an answer of decisions/authorize.
     *
     * @return list<string>
     * @throws \JsonException if it is not one JSON object, and nothing else, that can be read in one way only
     */
    public static function ofDecision(#[\SensitiveParameter] string $decision): array
    {
        $found = [];
        $decisions = Json::object($decision, self::DECISION_LEVELS)->decisions ?? null;
        foreach (is_array($decisions) ? $decisions : [] as $each) {
            $token = $each instanceof \stdClass ? $each->token ?? null : null;
            $text = $token instanceof \stdClass ? $token->serializedToken ?? null : null;
            $identity = is_string($text) ? self::ofToken($text) : null;
            if ($identity !== null) {
                $found[] = $identity;
            }
        }
        return $found;
    }

    private static function withoutArmor(#[\SensitiveParameter] string $received): string
    {
        $text = trim($received, self::SPACE);
        if (str_starts_with($text, '%3C') || str_starts_with($text, '%3c')) {
            return urldecode($text);
        }
        if (!str_starts_with($text, 'PHNpZ25hdHVyZUluZm8')) {
            return $text;
        }
        // A form turns `+` into a space; one at the end was then trimmed.
        $end = strspn($received, self::SPACE) + strlen($text);
        if (strlen($text) % 4 === 3 && !str_contains($text, '%') && substr($received, $end, 1) === ' ') {
            $text .= ' ';
        }
        $text = str_ireplace(['%2B', '%2F', '%3D'], ['+', '/', '='], $text);
        return (string) base64_decode(strtr($text, '-_ ', '+/+'), false);
    }
}
