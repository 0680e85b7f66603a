<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\Channel;
use MediaToken\Configured;
use MediaToken\Document;

/**
 * How questions are written.
 *
 * @internal
 */
final class Asking
{
    /** A form, which carries every byte of a token. */
    public static function aboutToken(
        #[\SensitiveParameter] string $token,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
    ): Asked {
        $names = self::names($requestor, $resource);
        // A form has no empty values: the empty token is sent as one space, which the daemon trims.
        $body = 'token=' . rawurlencode($token === '' ? ' ' : $token);
        foreach ($names as $name => $text) {
            $body .= "&$name=" . rawurlencode($text);
        }
        return self::asked('application/x-www-form-urlencoded', $body, [Identity::ofToken($token)], $names, false);
    }

    /**
     * The decision's own bytes inside an object of ours.
     *
     * @throws BadDecision if it is not one JSON object
     */
    public static function aboutDecision(
        #[\SensitiveParameter] string $decision,
        string|Configured $requestor,
        string|Document|Channel|Configured $resource,
    ): Asked {
        $names = self::names($requestor, $resource);
        try {
            $identities = Identity::ofDecision($decision);
        } catch (\JsonException) {
            throw new BadDecision();
        }
        $json = json_encode((object) $names, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        $body = substr($json, 0, -1) . ($names ? ',' : '') . '"decision":' . $decision . '}';
        return self::asked('application/json', $body, $identities, $names, true);
    }

    /**
     * @param list<?string> $identities
     * @param array<string, string> $names
     */
    private static function asked(
        string $type,
        #[\SensitiveParameter] string $body,
        array $identities,
        array $names,
        bool $isDecision,
    ): Asked {
        $known = array_values(array_filter($identities, is_string(...)));
        return new Asked($type, $body, $known, $names['requestor'] ?? null, $names['resource'] ?? null, $isDecision);
    }

    /** @return array<string, string> */
    private static function names(string|Configured $requestor, string|Document|Channel|Configured $resource): array
    {
        $names = [];
        if (is_string($requestor)) {
            $names['requestor'] = self::text('requestor', $requestor);
        }
        if ($resource instanceof Document) {
            $names['resourceDocument'] = self::text('document', $resource->text);
        } elseif ($resource instanceof Channel) {
            $names['resourceChannel'] = self::text('channel', $resource->id);
        } elseif (is_string($resource)) {
            $names['resource'] = self::text('resource', $resource);
        }
        return $names;
    }

    private static function text(string $what, string $value): string
    {
        if ($value === '') {
            throw new \InvalidArgumentException(
                "expected a $what, found an empty text; Configured::ByDaemon is the daemon's own",
            );
        }
        if (preg_match('//u', $value) !== 1) {
            throw new \InvalidArgumentException("expected a $what in UTF-8");
        }
        return $value;
    }
}
