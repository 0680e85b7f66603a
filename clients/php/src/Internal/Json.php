<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * JSON that can be read in one way only. Of members that come twice json_decode() takes the last.
 *
 * @internal
 */
final class Json
{
    /** Far more than an answer has. From a decision the daemon reads no more bytes than this outside of strings. */
    private const MEMBERS = 8_192;

    /** The object that all of these bytes are; null of anything else, and of more levels of objects and arrays inside each other. */
    public static function object(#[\SensitiveParameter] string $text, int $levels): ?\stdClass
    {
        // Outside of strings each member has its colon. Backslashes are in strings alone: without the escaped ones each that is left
        // belongs to what follows it.
        $parts = explode('"', str_replace(['\\\\', '\\"'], '', $text));
        $count = 0;
        for ($index = 0; $index < count($parts); $index += 2) {
            $count += substr_count($parts[$index], ':');
        }
        // First, as decoding takes time with the square of their number where names were chosen to have one hash.
        if ($count > self::MEMBERS) {
            return null;
        }
        // What is in the innermost array counts as a level, too, for PHP, even if there is nothing.
        $value = json_decode($text, false, $levels + 1);
        if (json_last_error() === JSON_ERROR_INVALID_PROPERTY_NAME) {
            // PHP has no property whose name begins with NUL, and we look for none: such members get another name.
            // Other texts are skipped whole, so that a quotation mark inside of one begins none.
            $rest = '(?:[^"\\\\]|\\\\.)*+"';
            $names = '/"(\\\\u0000' . $rest . '(?=\s*:))|"' . $rest . '(*SKIP)(*FAIL)/';
            $value = json_decode((string) preg_replace($names, '"\\u0001$1', $text), false, $levels + 1);
        }
        return $value instanceof \stdClass && $count === self::members($value) ? $value : null;
    }

    /** How many members a value has, and the values in it. */
    private static function members(#[\SensitiveParameter] mixed $value): int
    {
        $elements = (array) $value;
        $count = is_object($value) ? count($elements) : 0;
        foreach ($elements as $element) {
            $count += is_array($element) || is_object($element) ? self::members($element) : 0;
        }
        return $count;
    }
}
