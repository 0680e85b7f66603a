<?php

declare(strict_types=1);

namespace MediaToken;

use MediaToken\Internal\Hidden;

/**
 * A token that may play, now. It is used up. Only Client::verify() and Client::verifyDecision() make one.
 *
 * There is no copy, and no serialization that would be valid for ever.
 */
final readonly class ValidToken implements \JsonSerializable, \Stringable
{
    /**
     * @param string $identity SHA-256 of the token, 64 hexadecimal digits: its name in logs
     * @param string $requestorID what was signed, as are the next three
     * @param int $ttlMilliseconds the life that is granted
     * @param string $keyFingerprint the key that signed it
     * @param list<string> $unknownFields names of signed fields that the daemon does not know
     * @param string $use "first"; "retry", a request of yours again; "not-enforced", where uses are not counted
     * @param ?string $viewerTag a pseudonym of the account that may be logged, if the daemon gives one
     * @param string $requestID yours, or the daemon's; its log has it too
     */
    private function __construct(
        public string $identity,
        public string $requestorID,
        public string $resourceID,
        public string $mvpdId,
        public ?string $proxyMvpdId,
        public \DateTimeImmutable $issueTime,
        public \DateTimeImmutable $expiresAt,
        public int $ttlMilliseconds,
        public string $keyFingerprint,
        public array $unknownFields,
        public string $use,
        public ?string $viewerTag,
        public string $requestID,
        #[\SensitiveParameter] string $sessionGUID,
        #[\SensitiveParameter] ?string $handover,
    ) {
        Hidden::keep($this, ['sessionGUID' => $sessionGUID, 'handover' => $handover]);
    }

    /** Names the viewer's account. Keep it out of your logs. */
    public function sessionGUID(): string
    {
        return Hidden::of($this, 'sessionGUID');
    }

    /** A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs. */
    public function handover(): ?string
    {
        return Hidden::of($this, 'handover');
    }

    public function __toString(): string
    {
        return "ValidToken {$this->identity} use={$this->use} requestID={$this->requestID}";
    }

    /** What var_dump() and print_r() show. */
    public function __debugInfo(): array
    {
        return ['text' => (string) $this];
    }

    public function jsonSerialize(): string
    {
        return (string) $this;
    }

    public function __serialize(): array
    {
        throw new \LogicException(self::class . ' cannot be serialized; pass on the members that you need');
    }

    public function __unserialize(#[\SensitiveParameter] array $data): void
    {
        throw new \LogicException(self::class . ' is made by a Client alone; call verify');
    }

    private function __clone()
    {
    }
}
