/** One connection: a question is sent, and one answer is read. */
import { Socket } from 'node:net';

import { turnOfTheLoop } from './deadline.js';
import { ForeignAnswer, NoAnswer } from './errors.js';
import { AnswerReader } from './framing.js';

/** For how long a connection is kept without a question: less than the daemon keeps it. */
const IDLE_MILLISECONDS = 30_000;
/** Between two tries to connect to a listener that has no room. */
const SHORTEST_PAUSE_MILLISECONDS = 2;
const LONGEST_PAUSE_MILLISECONDS = 64;

/** The connection was over before a byte of the question was sent. */
export class Unsent extends Error {}

/** The connection ended before the answer did. `hasBegun`: a byte of it had come. */
export class Ended extends Error {
  constructor(hasBegun) {
    super('the connection ended');
    this.hasBegun = hasBegun;
  }
}

/** What is read is copied from here at once, so that all connections may use it. */
const ARRIVALS = Buffer.allocUnsafeSlow(65_536);

/**
 * A question that could not be sent whole may have an answer that says why: a socket that cannot be written to is still read. By
 * `onread`, as a stream that had an error emits no more data.
 */
class Wire extends Socket {
  constructor(onBytes) {
    super({ onread: { buffer: ARRIVALS, callback: (count) => onBytes(Buffer.from(ARRIVALS.subarray(0, count))) } });
  }

  destroy(error) { return error?.syscall === 'write' ? this : super.destroy(error); }
}

/** A connected socket. It serves one question at a time. */
export class Connection {
  #wire = new Wire((bytes) => (this.#onBytes ? this.#onBytes(bytes) : this.close()));
  #isOver = false;
  #isKept = false;
  #idleSince = 0;
  /** Who is told of bytes and of the end; no one waits for bytes while it is idle. */
  #onBytes = null;
  #onEnd = null;

  /** Throws NoAnswer if there is no connection before the deadline. */
  static async to(address, deadline) {
    for (let pause = SHORTEST_PAUSE_MILLISECONDS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS)) {
      const connection = new Connection();
      try {
        await connection.#connect(address, deadline);
        return connection;
      } catch (error) {
        connection.close();
        if (error instanceof NoAnswer) throw error;
        if (error.code !== 'EAGAIN') {
          const why = error.code ?? 'it ended';
          throw new NoAnswer(`no answer: cannot connect (${why}); check the address, and whether mediatokend runs`);
        }
      }
      // As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
      await deadline.wait((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
    }
  }

  constructor() {
    for (const event of ['end', 'close']) this.#wire.on(event, () => this.#end());
    this.#wire.on('error', (error) => this.#end(error));
  }

  get isOver() { return this.#isOver; }

  close() {
    this.#wire.destroy();
    this.#end();
  }

  /** Waits for the next question; a program may end meanwhile. `onEnd` is called if the connection ends first. */
  rest(onEnd) {
    this.#isKept = true;
    this.#idleSince = performance.now();
    this.#onEnd = onEnd;
    this.#wire.unref();
  }

  /** Whether it is idle for longer than the daemon is sure to keep it. */
  get isOld() { return performance.now() - this.#idleSince > IDLE_MILLISECONDS; }

  /** Whether it can be used after a rest: it is young, and the loop sees neither its end nor bytes that no one asked for. */
  async wakes(deadline) {
    this.#onEnd = null;
    this.#wire.ref();
    if (this.isOld) return false;
    await deadline.wait((resolve) => turnOfTheLoop().then(resolve));
    return !this.#isOver;
  }

  /**
   * Asks, and reads the answer, whose body has at most `most` bytes.
   *
   * Throws Unsent, Ended, NoAnswer after the deadline, and ForeignAnswer for what is not HTTP as the daemon writes it.
   */
  async exchange(question, most, deadline) {
    try {
      return await deadline.wait((resolve, reject) => this.#ask(question, new AnswerReader(most), resolve, reject));
    } finally {
      this.#onBytes = null;
      this.#onEnd = null;
    }
  }

  #ask(question, reader, resolve, reject) {
    if (this.#isOver) return reject(this.#isKept ? new Unsent() : new Ended(false));
    let isSent = false;
    let isAtOnce = true;
    this.#onEnd = () => reject(new Ended(reader.count > 0));
    this.#onBytes = (bytes) => {
      try {
        const answer = reader.take(bytes);
        if (answer === null) return;
        if (answer.status === 200 && !isSent) throw new ForeignAnswer('foreign answer: 200 to half a question');
        // Bytes that come later belong to no question.
        this.#onBytes = null;
        resolve({ ...answer, isKept: isSent && !answer.fields.has('connection') });
      } catch (error) {
        reject(error);
      }
    };
    this.#wire.write(question, (error) => {
      if (!error) isSent = true;
      // The first try to write failed, so that nothing went out. A later one says no more than that something did not.
      else if (isAtOnce && this.#isKept) reject(new Unsent());
      else this.#readOut(reader).then(() => reject(new Ended(reader.count > 0)));
    });
    process.nextTick(() => { isAtOnce = false; });
  }

  /** Reads on after a failed write. Its peer is gone: what the loop does not find now does not come. */
  async #readOut(reader) {
    for (let before = -1; before !== reader.count;) {
      before = reader.count;
      await turnOfTheLoop();
    }
  }

  #connect(address, deadline) {
    return deadline.wait((resolve, reject) => {
      this.#onEnd = (error) => reject(error ?? new Ended(false));
      // Without a prototype: one that other code changed must not name another socket.
      this.#wire.connect({ __proto__: null, ...address, noDelay: true }, () => {
        this.#onEnd = null;
        resolve();
      });
    });
  }

  #end(error) {
    this.#isOver = true;
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.(error);
  }
}
