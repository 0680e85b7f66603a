<?php

declare(strict_types=1);

namespace MediaToken;

/** A token that may play, now. It is used up. A Client makes these. */
final readonly class ValidToken implements \Stringable
{
    public \DateTimeImmutable $issueTime;
    public \DateTimeImmutable $expiresAt;

    /** @param list<string> $unknownFields names of signed fields that the daemon does not know */
    private function __construct(
        public string $identity,
        public string $requestorID,
        public string $resourceID,
        public string $mvpdId,
        private string $sessionGUID,
        public int $ttlMilliseconds,
        public string $keyFingerprint,
        public array $unknownFields,
        public string $use,
        public string $requestID,
        string $issueTime,
        string $expiresAt,
        public ?string $proxyMvpdId = null,
        public ?string $viewerTag = null,
        private ?string $handover = null,
        mixed ...$others,
    ) {
        (static fn (string ...$names) => $names)(...$unknownFields);
        $this->issueTime = new \DateTimeImmutable($issueTime);
        $this->expiresAt = new \DateTimeImmutable($expiresAt);
    }

    /**
     * For the Client alone; null if a member is missing, or of another type.
     *
     * @param array<array-key, mixed> $said
     */
    public static function of(#[\SensitiveParameter] array $said): ?self
    {
        try {
            return new self(...array_filter($said, is_string(...), ARRAY_FILTER_USE_KEY));
        } catch (\Throwable) {
            return null;
        }
    }

    /** Names the viewer's account. Keep it out of your logs. */
    public function sessionGUID(): string
    {
        return $this->sessionGUID;
    }

    /** A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs. */
    public function handover(): ?string
    {
        return $this->handover;
    }

    public function __toString(): string
    {
        return "ValidToken {$this->identity} use={$this->use} requestID={$this->requestID}";
    }

    public function __debugInfo(): array
    {
        return ['text' => (string) $this];
    }
}
