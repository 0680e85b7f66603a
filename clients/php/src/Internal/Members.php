<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\ForeignAnswer;

/**
 * The members of an answer, each of which has its form.
 *
 * @internal
 */
final readonly class Members
{
    public const NAME = '/\A[A-Z_]{1,64}\z/';
    public const WORD = '/\A[a-z0-9-]{1,64}\z/';
    public const DIGEST = '/\A[0-9a-f]{64}\z/';
    public const REQUEST_ID = '/\A[A-Za-z0-9._:+\/=@-]{1,128}\z/';
    private const TIME = '/\A(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\z/';
    private const LEVELS = 16;

    /** @var array<array-key, mixed> */
    private array $values;

    /** @throws ForeignAnswer unless the bytes are one object */
    public function __construct(#[\SensitiveParameter] string $json)
    {
        try {
            $this->values = get_object_vars(Json::object($json, self::LEVELS));
        } catch (\JsonException) {
            throw self::foreign('not one JSON object that can be read in one way only');
        }
    }

    public static function foreign(string $what): ForeignAnswer
    {
        return new ForeignAnswer("foreign answer: $what");
    }

    /** @throws ForeignAnswer unless it holds */
    public static function expect(bool $holds, string $otherwise): void
    {
        $holds || throw self::foreign($otherwise);
    }

    public function has(string $name): bool
    {
        return array_key_exists($name, $this->values);
    }

    /** Which of the three outcomes this is about. */
    public function kind(): string
    {
        $kinds = array_values(array_filter(['verdict', 'fault', 'error'], $this->has(...)));
        self::expect(count($kinds) === 1, 'neither one verdict nor one fault nor one error');
        return $kinds[0];
    }

    public function text(string $name, ?string $form = null): string
    {
        $value = $this->values[$name] ?? null;
        if (!is_string($value) || ($form !== null && preg_match($form, $value) !== 1)) {
            throw self::foreign("without a member $name of its form");
        }
        return $value;
    }

    public function optional(string $name): ?string
    {
        return $this->has($name) ? $this->text($name) : null;
    }

    /** @return list<string> */
    public function texts(string $name): array
    {
        $value = $this->values[$name] ?? null;
        if (!is_array($value) || count(array_filter($value, is_string(...))) !== count($value)) {
            throw self::foreign("without a member $name of its form");
        }
        return $value;
    }

    /** Whether the member is an integer from the least to the most. */
    public function isNumber(string $name, int $least, int $most): bool
    {
        $value = $this->values[$name] ?? null;
        return is_int($value) && $value >= $least && $value <= $most;
    }

    /** An integer of at most twelve digits, as a token's ttl. */
    public function number(string $name): int
    {
        self::expect($this->isNumber($name, 0, 999_999_999_999), "without a member $name of its form");
        return $this->values[$name];
    }

    public function time(string $name): \DateTimeImmutable
    {
        $text = $this->text($name, self::TIME);
        $time = \DateTimeImmutable::createFromFormat('!Y-m-d\TH:i:s.v\Z', $text, new \DateTimeZone('UTC'));
        // PHP makes 2 March of 30 February.
        if ($time === false || $time->format('Y-m-d\TH:i:s.v\Z') !== $text) {
            throw self::foreign("without a member $name of its form");
        }
        return $time;
    }
}
