<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\Channel;
use MediaToken\Configured;
use MediaToken\Document;
use MediaToken\Fault;

/**
 * A question as it is sent, and what its answer must be about.
 *
 * @internal
 */
final readonly class Question
{
    private const SPACE = " \t\r\n";
    /** As many as the daemon reads of a decision. */
    private const DECISION_LEVELS = 32;

    /**
     * @param array<string, string> $names what the token must be for
     * @param list<?string> $identities the names of what was sent, one of which the answer has; null of what is no token
     */
    private function __construct(
        public string $type,
        #[\SensitiveParameter] string $body,
        public array $names,
        public array $identities,
        public bool $isDecision,
    ) {
        // It is an argument of calls, which traces of exceptions keep, and has the token.
        Hidden::keep($this, ['body' => $body]);
    }

    public function body(): string
    {
        return Hidden::of($this, 'body');
    }

    /**
     * @return array<string, string>
     * @throws \InvalidArgumentException for what cannot be asked about
     */
    public static function names(string|Configured $requestor, string|Document|Channel|Configured $resource): array
    {
        $names = match (true) {
            $resource instanceof Document => ['resourceDocument' => $resource->text],
            $resource instanceof Channel => ['resourceChannel' => $resource->id],
            is_string($resource) => ['resource' => $resource],
            default => [],
        };
        $names += is_string($requestor) ? ['requestor' => $requestor] : [];
        foreach ($names as $name => $text) {
            if ($text === '' || preg_match('//u', $text) !== 1) {
                $what = "expected a $name in UTF-8, and not empty; Configured::ByDaemon is the daemon's own";
                throw new \InvalidArgumentException($what);
            }
        }
        return $names;
    }

    /**
     * A form, which carries every byte of a token.
     *
     * @param array<string, string> $names
     */
    public static function aboutToken(#[\SensitiveParameter] string $token, array $names): self
    {
        // A form has no empty values: the empty token is sent as one space, which the daemon trims.
        $body = http_build_query(['token' => $token === '' ? ' ' : $token] + $names, '', '&', PHP_QUERY_RFC3986);
        return new self('application/x-www-form-urlencoded', $body, $names, [self::identity($token)], false);
    }

    /**
     * The decision's own bytes inside an object of ours.
     *
     * @param array<string, string> $names
     * @throws Fault if it is not one JSON object: between members of ours it could mean something else
     */
    public static function aboutDecision(#[\SensitiveParameter] string $decision, array $names): self
    {
        $document = Json::object($decision, self::DECISION_LEVELS) ?? throw new Fault(
            'no verdict: bad-decision (400)',
            'bad-decision',
            400,
            'expected one JSON object, as Adobe sent it',
        );
        $identities = [];
        $decisions = $document->decisions ?? null;
        foreach (is_array($decisions) ? $decisions : [] as $each) {
            $token = $each instanceof \stdClass ? $each->token ?? null : null;
            $text = $token instanceof \stdClass ? $token->serializedToken ?? null : null;
            $identities[] = is_string($text) ? self::identity($text) : null;
        }
        $json = json_encode((object) $names, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        $body = substr($json, 0, -1) . ($names ? ',' : '') . '"decision":' . $decision . '}';
        return new self('application/json', $body, $names, $identities, true);
    }

    /**
     * A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed; null of what is no
     * token. Nothing is verified here, and spellings that the daemon refuses are read too: it gives those tokens no name.
     */
    private static function identity(#[\SensitiveParameter] string $received): ?string
    {
        $token = trim($received, self::SPACE);
        if (str_starts_with($token, '%3C') || str_starts_with($token, '%3c')) {
            $token = urldecode($token);
        } elseif (str_starts_with($token, 'PHNpZ25hdHVyZUluZm8')) {
            // A form turns `+` into a space; one at the end was then trimmed.
            $end = strspn($received, self::SPACE) + strlen($token);
            if (strlen($token) % 4 === 3 && !str_contains($token, '%') && substr($received, $end, 1) === ' ') {
                $token .= ' ';
            }
            $token = str_ireplace(['%2B', '%2F', '%3D'], ['+', '/', '='], $token);
            $token = (string) base64_decode(strtr($token, '-_ ', '+/+'), false);
        }
        $isToken = preg_match('~\A<signatureInfo>[^<]++</?signatureInfo>(?=.)~s', $token, $opening) === 1;
        return $isToken ? hash('sha256', substr($token, strlen($opening[0]))) : null;
    }
}
