<?php

declare(strict_types=1);

namespace MediaToken\Internal;

use MediaToken\ForeignAnswer;
use MediaToken\NoAnswer;

/**
 * A connected socket: a question is sent, and one answer is read. It belongs to the process that made it.
 *
 * @internal
 */
final class Connection
{
    /** For how long, in seconds, a connection is kept without a question: less than the daemon keeps it. */
    private const IDLE_SECONDS = 30.0;
    private const READ_BYTES = 16_384;
    private const WRITE_BYTES = 262_144;
    private const WAIT_SECONDS = 3_600.0;

    /** @var resource */
    private $socket;
    private readonly int $process;
    private ?float $idleSince = null;
    /** Whether the last read took as much as one takes. */
    private bool $isFull = false;

    /** @throws NoAnswer if there is no connection before the deadline */
    public function __construct(Address $address, Deadline $deadline)
    {
        $this->process = (int) getmypid();
        $this->socket = Quiet::run(static fn () => Connecting::connected($address, $deadline));
        stream_set_blocking($this->socket, false);
        // Nothing is kept outside of the socket, and feof() does not wait.
        stream_set_read_buffer($this->socket, 0);
        stream_set_write_buffer($this->socket, 0);
        stream_set_timeout($this->socket, 0);
    }

    /** In a child of the process that made it this closes the child's copy, and says nothing to the daemon. */
    public function close(): void
    {
        fclose($this->socket);
    }

    /** Says that it is idle from now on. */
    public function rest(): void
    {
        $this->idleSince = Deadline::now();
    }

    /** Whether an idle connection is ours, young, and silent: one that can be read has ended, or said what no one asked for. */
    public function isUsable(): bool
    {
        return $this->process === getmypid() && Deadline::now() - (float) $this->idleSince <= self::IDLE_SECONDS
            && Quiet::run($this->isSilent(...));
    }

    /**
     * Asks, and reads the answer.
     *
     * @throws Unsent|Ended
     * @throws NoAnswer after the deadline
     * @throws ForeignAnswer for what is not HTTP as the daemon writes it
     */
    public function exchange(#[\SensitiveParameter] string $question, Deadline $deadline, int $bodyBytes): Answer
    {
        return Quiet::run(fn () => $this->asked($question, $deadline, $bodyBytes));
    }

    private function asked(#[\SensitiveParameter] string $question, Deadline $deadline, int $bodyBytes): Answer
    {
        $isWhole = $this->send($question, $deadline);
        $received = '';
        while (($end = Head::end($received)) === null) {
            $received .= $this->receive($deadline, $received !== '');
        }
        $head = Head::read(substr($received, 0, $end));
        if ($head->status === 200 && !$isWhole) {
            throw new ForeignAnswer('foreign answer: 200 to half a question');
        }
        if ($head->length > $bodyBytes) {
            throw new ForeignAnswer('foreign answer: it is too long');
        }
        $body = substr($received, $end + strlen(Head::END));
        while (strlen($body) < $head->length) {
            $body .= $this->receive($deadline, true);
        }
        // Where the last read was full, more may have come.
        if (strlen($body) > $head->length || ($this->isFull && (string) $this->peek() !== '')) {
            throw new ForeignAnswer('foreign answer: there is more than one');
        }
        return new Answer($head->status, $head->fields, $body, $isWhole && !isset($head->fields['connection']));
    }

    /** Whether all of it went out. Where it did not, there may be an answer that says why. */
    private function send(#[\SensitiveParameter] string $question, Deadline $deadline): bool
    {
        $sent = 0;
        while ($sent < strlen($question)) {
            $deadline->left();
            $count = fwrite($this->socket, substr($question, $sent, self::WRITE_BYTES));
            if ($count === false) {
                return $sent === 0 && $this->idleSince !== null ? throw new Unsent() : false;
            }
            if ($count === 0) {
                $this->await($deadline, isToWrite: true);
            }
            $sent += $count;
        }
        return true;
    }

    /** Whether there is nothing to be read, not even the end. */
    private function isSilent(): bool
    {
        return $this->peek() === false;
    }

    /** The next byte, empty at the end; false if there is nothing to be read, not even the end. */
    private function peek(): string|false
    {
        return stream_socket_recvfrom($this->socket, 1, STREAM_PEEK);
    }

    /** What has come, at least a byte. */
    private function receive(Deadline $deadline, bool $began): string
    {
        while (true) {
            $deadline->left();
            $data = fread($this->socket, self::READ_BYTES);
            if ($data !== false && $data !== '') {
                $this->isFull = strlen($data) === self::READ_BYTES;
                return $data;
            }
            if ($data === false || feof($this->socket)) {
                throw new Ended($began);
            }
            $this->await($deadline, isToWrite: false);
        }
    }

    private function await(Deadline $deadline, bool $isToWrite): void
    {
        $sockets = [$this->socket];
        $none = null;
        // The callers look at the deadline again, and so may wait in pieces of a size that is an integer.
        $left = (int) ceil(min($deadline->left(), self::WAIT_SECONDS) * 1e6);
        [$seconds, $microseconds] = [intdiv($left, 1_000_000), $left % 1_000_000];
        $ready = $isToWrite ? stream_select($none, $sockets, $none, $seconds, $microseconds)
            : stream_select($sockets, $none, $none, $seconds, $microseconds);
        if ($ready === false) {
            // A signal; or a number that select() has no room for, from 1,024 open files on: we look again in a moment.
            usleep(1_000);
        }
    }
}
