<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * Connections that wait for the next question. The youngest is used first, so that the others grow old.
 *
 * They end with the request of a web server: a connection that outlived one could have half an answer to a question of its in it.
 *
 * @internal
 */
final class Pool
{
    /** @var list<Connection> */
    private array $idle = [];

    public function __construct(private readonly int $most)
    {
    }

    /** An idle connection that can be used, or null. All those that a child process inherited are closed at its first question. */
    public function take(): ?Connection
    {
        while (($connection = array_pop($this->idle)) !== null) {
            if ($connection->isUsable()) {
                return $connection;
            }
            $connection->close();
        }
        return null;
    }

    /** Takes a connection whose answer was read whole. */
    public function give(Connection $connection): void
    {
        $connection->rest();
        $this->idle[] = $connection;
        while (count($this->idle) > $this->most) {
            array_shift($this->idle)->close();
        }
    }

    /** Closes those that are idle. */
    public function close(): void
    {
        foreach ($this->idle as $connection) {
            $connection->close();
        }
        $this->idle = [];
    }
}
