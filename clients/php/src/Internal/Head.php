<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\ForeignAnswer;

/**
 * The head of an answer, read by the letter (the kits' README, "How an answer is read").
 *
 * @internal
 */
final readonly class Head
{
    public const END = "\r\n\r\n";
    private const BYTES = 16_384;
    /** Fields that say how an answer is to be read: each at most once. */
    private const SINGLE = ['content-length' => true, 'content-type' => true, 'connection' => true, 'retry-after' => true];
    /** Fields with which a body is not what its bytes say. */
    private const FORBIDDEN = ['transfer-encoding' => true, 'content-encoding' => true];

    /** @param array<string, string> $fields by their names in lower case */
    private function __construct(public int $status, public int $length, public array $fields)
    {
    }

    /**
     * Where the head ends in what was received; null if more is needed.
     *
     * @throws ForeignAnswer if it is too long
     */
    public static function end(#[\SensitiveParameter] string $received): ?int
    {
        $end = strpos($received, self::END);
        if (($end === false ? strlen($received) : $end) > self::BYTES) {
            throw new ForeignAnswer('foreign answer: its head is too long');
        }
        return $end === false ? null : $end;
    }

    /**
     * @param string $text the head without its last line's end
     * @throws ForeignAnswer
     */
    public static function read(#[\SensitiveParameter] string $text): self
    {
        $lines = explode("\r\n", $text);
        if (preg_match('/\AHTTP\/1\.1 ([0-9]{3}) [\t\x20-\x7e\x80-\xff]*\z/', array_shift($lines), $start) !== 1) {
            throw new ForeignAnswer('foreign answer: no status line of HTTP/1.1');
        }
        $fields = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => "\0"];
            $isToken = preg_match('/\A[!#$%&\'*+\-.^_`|~0-9A-Za-z]+\z/', $name) === 1;
            if (!$isToken || preg_match('/[^\t\x20-\x7e\x80-\xff]/', $value) !== 0) {
                throw new ForeignAnswer('foreign answer: a broken field in its head');
            }
            $name = strtolower($name);
            if (isset(self::FORBIDDEN[$name]) || (isset(self::SINGLE[$name]) && isset($fields[$name]))) {
                throw new ForeignAnswer('foreign answer: its head can be read in two ways');
            }
            $fields[$name] = trim($value, " \t");
        }
        $length = $fields['content-length'] ?? '';
        if ((int) $start[1] < 200 || preg_match('/\A[0-9]{1,9}\z/', $length) !== 1) {
            throw new ForeignAnswer('foreign answer: expected one with a Content-Length');
        }
        return new self((int) $start[1], (int) $length, $fields);
    }
}
