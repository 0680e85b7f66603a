<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * JSON that can be read in one way only.
 *
 * @internal
 */
final class Json
{
    /** Far more than an answer has. From a decision the daemon reads no more bytes than this outside of strings. */
    private const MEMBERS = 8_192;

    /**
     * The object that all of these bytes are; numbers in it are int or float, arrays are lists, objects are \stdClass.
     *
     * @throws \JsonException for anything else: bytes that are not UTF-8, a member twice, a half of a surrogate pair, numbers that
     *     JSON has not, too many members, and more levels of objects and arrays inside each other
     */
    public static function object(#[\SensitiveParameter] string $text, int $levels): \stdClass
    {
        // First, as decoding takes time with the square of their number where names were chosen to have one hash.
        $count = self::colonsOutsideOfStrings($text);
        if ($count > self::MEMBERS) {
            throw new \JsonException('too many members');
        }
        // What is in the innermost array counts as a level, too, for PHP, even if there is nothing.
        $depth = $levels + 1;
        $value = json_decode($text, false, $depth);
        if (json_last_error() === JSON_ERROR_INVALID_PROPERTY_NAME) {
            // PHP has no property whose name begins with NUL, and we look for none: such members get another name.
            // Other texts are skipped whole, so that a quotation mark inside of one begins none.
            $rest = '(?:[^"\\\\]|\\\\.)*+"';
            $names = '/"(\\\\u0000' . $rest . '(?=\s*:))|"' . $rest . '(*SKIP)(*FAIL)/';
            $text = (string) preg_replace($names, '"\\u0001$1', $text);
            $value = json_decode($text, false, $depth);
        }
        if (json_last_error() !== JSON_ERROR_NONE || !$value instanceof \stdClass) {
            throw new \JsonException('no object');
        }
        // Of members that come twice the last one is in the value, and each has its colon.
        if ($count !== self::members($value)) {
            throw new \JsonException('a member twice');
        }
        return $value;
    }

    /** In a text that is JSON: as many as it has members. */
    private static function colonsOutsideOfStrings(#[\SensitiveParameter] string $text): int
    {
        // Backslashes are in strings alone. Without the escaped ones each that is left belongs to what follows it.
        $parts = explode('"', str_replace(['\\\\', '\\"'], '', $text));
        $count = 0;
        for ($index = 0; $index < count($parts); $index += 2) {
            $count += substr_count($parts[$index], ':');
        }
        return $count;
    }

    private static function members(#[\SensitiveParameter] mixed $value): int
    {
        $count = 0;
        if ($value instanceof \stdClass) {
            $value = get_object_vars($value);
            $count = count($value);
        }
        if (is_array($value)) {
            foreach ($value as $element) {
                if (is_array($element) || is_object($element)) {
                    $count += self::members($element);
                }
            }
        }
        return $count;
    }
}
