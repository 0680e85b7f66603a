<?php

declare(strict_types=1);

namespace MediaToken;

/** A token that may play, now. It is used up. A Client makes these. */
final readonly class ValidToken implements \Stringable
{
    /** @param list<string> $unknownFields names of signed fields that the daemon does not know */
    private function __construct(
        public string $identity,
        public string $requestorID,
        public string $resourceID,
        public string $mvpdId,
        private string $sessionGUID,
        public \DateTimeImmutable $issueTime,
        public \DateTimeImmutable $expiresAt,
        public int $ttlMilliseconds,
        public string $keyFingerprint,
        public array $unknownFields,
        public string $use,
        public string $requestID,
        public ?string $proxyMvpdId = null,
        public ?string $viewerTag = null,
        private ?string $handover = null,
    ) {
    }

    /**
     * For the Client alone; null if a member is missing, or of another type.
     *
     * @param array<array-key, mixed> $said
     */
    public static function of(#[\SensitiveParameter] array $said): ?self
    {
        try {
            $said['unknownFields'] = (static fn (string ...$names): array => $names)(...($said['unknownFields'] ?? null));
            foreach (['issueTime', 'expiresAt'] as $name) {
                $said[$name] = new \DateTimeImmutable($said[$name] ?? null);
            }
            return new self(...array_intersect_key($said, array_flip(array_column(
                (new \ReflectionMethod(self::class, '__construct'))->getParameters(),
                'name',
            ))));
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
