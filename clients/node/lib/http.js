/** Questions and answers by node:http: each call has one deadline, and answers have a bound. */
import { Agent, request } from 'node:http';
import { Socket } from 'node:net';

import { ForeignAnswer, NoAnswer } from './errors.js';

/** A body has room for a token of the greatest length with every byte escaped. The platform bounds heads. */
const ANSWER_BYTES = 1 << 20;
/** For how long a connection is kept without a question: less than the daemon keeps it. */
const IDLE_MILLISECONDS = 30_000;
/** Between two tries to connect to a listener that has no room. */
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [2, 64];

const NOT_IN_TIME = 'no answer: none came in time';

/** The connection ended before the answer did. `isHeard`: the whole question was sent; `hasBegun`: a byte of the answer had come. */
export class Ended extends Error {
  constructor(isHeard, hasBegun) {
    super('the connection ended');
    Object.assign(this, { isHeard, hasBegun });
  }
}

/** A question that could not be sent whole may have an answer that says why: what cannot be written to is still read. */
class Wire extends Socket {
  hasFailed = false;

  _write(data, encoding, callback) { super._write(data, encoding, this.#survived(callback)); }

  _writev(chunks, callback) { super._writev(chunks, this.#survived(callback)); }

  #survived(callback) {
    return (error) => {
      this.hasFailed ||= Boolean(error);
      callback();
    };
  }
}

/** Connections to one daemon: as many as there may be, and those that are idle. */
export class Connections extends Agent {
  #address;

  constructor(address, most, mostIdle) {
    super({ keepAlive: true, maxSockets: most, maxFreeSockets: mostIdle, scheduling: 'lifo', timeout: IDLE_MILLISECONDS });
    // Without a prototype: one that other code changed must not name another socket.
    this.#address = { __proto__: null, ...address, noDelay: true };
  }

  createConnection() { return new Wire().connect(this.#address); }

  keepSocketAlive(socket) {
    if (socket.hasFailed || this.maxFreeSockets === 0) return false;
    // What no one asked for is not the answer to the next question.
    socket.on('data', end);
    return super.keepSocketAlive(socket);
  }

  reuseSocket(socket, question) {
    socket.off('data', end);
    super.reuseSocket(socket, question);
  }

  closeIdle() {
    for (const socket of Object.values(this.freeSockets).flat()) socket.destroy();
  }

  /**
   * Asks, and reads the answer: `status`, `fields` (texts by name), `body` and `reject`, which closes its connection.
   *
   * Nothing is sent from `latest` on, an instant of performance.now(). Throws Ended, NoAnswer after the deadline, and ForeignAnswer.
   */
  async exchange(question, deadline, latest) {
    for (let pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      // Of idle connections the loop must have seen the end, and bytes that no one asked for.
      if (Object.keys(this.freeSockets).length > 0) await deadline.wait((resolve) => turnOfTheLoop().then(resolve));
      try {
        return await deadline.wait((resolve, reject) => this.#ask(question, latest, deadline.end, resolve, reject));
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
      // As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
      await deadline.wait((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
    }
  }

  #ask({ method, path, fields, body }, latest, deadline, resolve, reject) {
    let before = 0;
    const headers = { Host: 'localhost', ...fields, ...(body === undefined ? {} : { 'Content-Length': body.length }) };
    const asked = request({ agent: this, method, path, headers, insecureHTTPParser: false });
    const ended = () => new Ended(!asked.reusedSocket || !asked.socket?.hasFailed, asked.socket?.bytesRead > before);
    asked.once('socket', (socket) => {
      before = socket.bytesRead;
      const now = performance.now();
      if (now < latest && now < deadline) return;
      reject(new NoAnswer(now < deadline ? 'no answer: it was too late to ask' : NOT_IN_TIME));
      asked.destroy();
    });
    let read = null;
    asked.once('response', (answer) => {
      read = answer;
      this.#read(asked, answer, resolve, reject, ended);
    });
    asked.on('error', (error) => {
      if (error.syscall === 'connect') reject(cannotConnect(error));
      else if (!error.code?.startsWith('HPE_')) reject(ended());
      else reject(new ForeignAnswer('foreign answer: not HTTP/1.1 as the daemon has it'));
    });
    asked.on('close', () => { if (!read?.complete) reject(ended()); });
    asked.end(body);
    return () => asked.destroy();
  }

  #read(asked, answer, resolve, reject, ended) {
    const { statusCode: status, headersDistinct: fields, httpVersion, socket } = answer;
    const [length, ...others] = fields['content-length'] ?? [];
    const isClear = httpVersion === '1.1' && /^[0-9]{1,7}$/.test(length) && others.length === 0 && !fields['transfer-encoding']
      && !fields['content-encoding'] && Number(length) <= ANSWER_BYTES;
    const pieces = [];
    answer.on('data', (piece) => pieces.push(piece));
    answer.on('error', () => reject(ended()));
    answer.on('end', () => {
      if (asked.reusedSocket && socket.hasFailed) return reject(ended());
      const isWhole = asked.writableFinished && !socket.hasFailed;
      if (status === 200 && !isWhole) return reject(new ForeignAnswer('foreign answer: 200 to half a question'));
      return resolve({ status, fields, body: Buffer.concat(pieces), reject: () => socket.destroy() });
    });
    if (isClear) return;
    reject(new ForeignAnswer('foreign answer: its head can be read in two ways, or it is too long'));
    answer.destroy();
  }
}

function end() { this.destroy(); }

function cannotConnect(error) {
  if (error.code === 'EAGAIN') return error;
  return new NoAnswer(`no answer: cannot connect (${error.code}); check the address, and whether mediatokend runs`);
}

/**
 * Returns after the event loop has looked at every socket. The second one is needed, as the first may come in the turn in which it
 * was asked for, whose look was earlier.
 */
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** One instant for a whole call, which the caller's signal may bring forward. */
export class Deadline {
  #timer;
  #signal;
  #error = null;
  #stop = null;
  #onAbort = () => this.#pass('no answer: the caller ended the wait');

  constructor(milliseconds, signal) {
    this.end = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#pass(), milliseconds);
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** What `start(resolve, reject)` comes to; NoAnswer if the deadline is earlier. What it returns is then called. */
  wait(start) {
    return new Promise((resolve, reject) => {
      // The timer is late where the program kept the event loop busy.
      if (performance.now() >= this.end) this.#pass();
      if (this.#error) return reject(this.#error);
      const stop = start(resolve, reject);
      this.#stop = () => {
        reject(this.#error);
        if (typeof stop === 'function') stop();
      };
    });
  }

  /** The call is over. */
  clear() {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #pass(message = NOT_IN_TIME) {
    this.#error ??= new NoAnswer(message);
    this.#stop?.();
  }
}
