<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\ForeignAnswer;

/**
 * What comes back: the head, as cURL hands it over in lines, and the body.
 *
 * @internal
 */
final class Answer
{
    private const HEAD_BYTES = 16_384;
    /** Room for a token of the greatest length with every byte escaped. */
    private const BODY_BYTES = 1 << 20;
    private const VALUE = '[\t\x20-\x7e\x80-\xff]*';
    /** Fields that say how an answer is to be read: each at most once. */
    private const SINGLE = ['content-length', 'content-type', 'connection', 'retry-after'];
    /** Fields with which a body is not what its bytes say. */
    private const FORBIDDEN = ['transfer-encoding', 'content-encoding'];

    public int $status = 0;
    /** @var array<string, string> by their names in lower case */
    public array $fields = [];
    /** Why it is not one of ours. */
    public ?string $wrong = null;
    private int $headBytes = 0;
    private bool $isHeadWhole = false;

    /** Takes the body; empty if it did not come to its end. */
    public function take(#[\SensitiveParameter] string $body): void
    {
        // This object is an argument of calls, which traces of exceptions keep, and the body has the account.
        Hidden::keep($this, ['body' => $body]);
    }

    public function body(): string
    {
        return Hidden::of($this, 'body');
    }

    public function hasBegun(): bool
    {
        return $this->headBytes > 0;
    }

    /** Whether it has come to its end; throws if it is not one of ours. */
    public function isWhole(): bool
    {
        if ($this->wrong !== null) {
            throw new ForeignAnswer("foreign answer: {$this->wrong}");
        }
        return $this->isHeadWhole && strlen($this->body()) === (int) $this->fields['content-length'];
    }

    /** Takes a line of the head; the number of its bytes if it is as the daemon writes it. */
    public function line(\CurlHandle $curl, #[\SensitiveParameter] string $line): int
    {
        $this->headBytes += strlen($line);
        $this->wrong ??= $this->headBytes > self::HEAD_BYTES ? 'its head is too long' : $this->problem($line);
        return $this->wrong === null ? strlen($line) : -1;
    }

    /** What is wrong with a line. */
    private function problem(#[\SensitiveParameter] string $line): ?string
    {
        if ($this->status === 0) {
            $isStatus = preg_match('/\AHTTP\/1\.1 ([2-9][0-9]{2}) ' . self::VALUE . '\r\n\z/', $line, $parts) === 1;
            $this->status = $isStatus ? (int) $parts[1] : 0;
            return $isStatus && !in_array($this->status, [204, 304], true) ? null : 'no status line of HTTP/1.1';
        }
        if ($line === "\r\n") {
            $length = $this->fields['content-length'] ?? '';
            $this->isHeadWhole = preg_match('/\A[0-9]{1,9}\z/', $length) === 1 && (int) $length <= self::BODY_BYTES;
            return $this->isHeadWhole ? null : 'expected a Content-Length of at most ' . self::BODY_BYTES;
        }
        if (preg_match('/\A([!#$%&\'*+\-.^_`|~0-9A-Za-z]+):(' . self::VALUE . ')\r\n\z/', $line, $parts) !== 1) {
            return 'a broken field in its head';
        }
        $name = strtolower($parts[1]);
        if (in_array($name, self::FORBIDDEN, true) || (in_array($name, self::SINGLE, true) && isset($this->fields[$name]))) {
            return 'its head can be read in two ways';
        }
        $this->fields[$name] = trim($parts[2], " \t");
        return null;
    }
}
