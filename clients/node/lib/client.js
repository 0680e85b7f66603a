/** The client. What a caller says is looked at before anything is asked: what cannot be is a TypeError or a RangeError. */
import { randomBytes } from 'node:crypto';

import { isRequestID, ofReadiness, ofToken } from './answer.js';
import { Fault, NoAnswer, NotReady, Refused } from './errors.js';
import { Connections, Deadline, Ended } from './http.js';
import { aboutDecision, aboutToken } from './question.js';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})$/;
const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const OURS = [
  'host', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'expect', 'te', 'trailer', 'upgrade',
];
/** `sun_path` of unix(7), with the byte that ends it. A longer path would be cut, and lead elsewhere. */
const PATH_BYTES = 107;
/** The platform takes longer times for 1 ms. */
const MOST_MILLISECONDS = 2 ** 31 - 1;
/** Over TCP the daemon takes 64 from all of its callers, and closes the others unread. */
const [LOCAL_CONNECTIONS, TCP_CONNECTIONS] = [64, 32];
const QUESTION = ['requestor', 'resource', 'requestID', 'signal'];

export class Client {
  #text;
  #timeout;
  #header;
  #window;
  #connections;

  constructor(address, settings = {}) {
    expectMembers('Client', settings, ['timeout', 'requestIDHeader', 'retryWindow', 'idleConnections', 'connections']);
    const where = parsed(address);
    const isLocal = where.path !== undefined;
    const { timeout = 5000, requestIDHeader, retryWindow, idleConnections = 8 } = settings;
    const { connections = isLocal ? LOCAL_CONNECTIONS : TCP_CONNECTIONS } = settings;
    expectNumber('timeout', timeout, Number.MIN_VALUE, MOST_MILLISECONDS);
    if (requestIDHeader !== undefined && (typeof requestIDHeader !== 'string' || !HEADER.test(requestIDHeader)
        || OURS.includes(requestIDHeader.toLowerCase()))) {
      throw new RangeError('expected as requestIDHeader the name of a header that is free for request ids');
    }
    if (retryWindow !== undefined) {
      expectNumber('retryWindow', retryWindow, Number.MIN_VALUE, MOST_MILLISECONDS);
      if (requestIDHeader === undefined || !isLocal) {
        throw new RangeError("a retryWindow needs requestIDHeader and a UNIX socket, as the daemon's does");
      }
    }
    expectNumber('idleConnections', idleConnections, 0, Number.MAX_SAFE_INTEGER, Number.isSafeInteger);
    expectNumber('connections', connections, 1, Number.MAX_SAFE_INTEGER, Number.isSafeInteger);
    [this.#text, this.#timeout, this.#header, this.#window] = [address, timeout, requestIDHeader, retryWindow];
    this.#connections = new Connections(where, connections, idleConnections);
  }

  async verify(token, question) {
    expectMembers('verify', question, QUESTION);
    return this.#verify(aboutToken(token, question.requestor, question.resource), question);
  }

  async verifyDecision(decision, question) {
    expectMembers('verifyDecision', question, QUESTION);
    const about = aboutDecision(decision, question.requestor, question.resource);
    if (about !== null) return this.#verify(about, question);
    const detail = 'expected one JSON object, as Adobe sent it';
    throw new Fault('no verdict: bad-decision (400)', { code: 'bad-decision', status: 400, detail });
  }

  async checkReady(options = {}) {
    expectMembers('checkReady', options, ['signal']);
    await this.#exchange({ method: 'GET', path: '/readyz', fields: {} }, ofReadiness, this.#timeout, options.signal);
  }

  close() { this.#connections.closeIdle(); }

  toString() { return `Client ${this.#text}`; }

  [Symbol.for('nodejs.util.inspect.custom')]() { return `<${this}>`; }

  #verify(about, { requestID, signal }) {
    const fields = { 'Content-Type': about.kind };
    let sentID = requestID;
    if (this.#header !== undefined) {
      sentID ??= randomBytes(16).toString('hex');
      if (!isRequestID(sentID)) throw new RangeError('expected a request id of 1 to 128 letters, digits and . _ - : + / = @');
      fields[this.#header] = sentID;
    } else if (sentID !== undefined) {
      throw new RangeError("a request id needs the client's requestIDHeader, the daemon's setting of that name");
    }
    const question = { method: 'POST', path: '/v1/verify', fields, body: about.body };
    return this.#exchange(question, (answer) => ofToken(answer, about, sentID), this.#window, signal);
  }

  /**
   * Asks, at most twice, and reads the answer.
   *
   * `repeatsWithin` is for how many milliseconds a question that was sent may be sent again; undefined: never.
   */
  async #exchange(question, read, repeatsWithin, signal) {
    const deadline = new Deadline(this.#timeout, signal);
    const latest = repeatsWithin === undefined ? -Infinity : performance.now() + repeatsWithin;
    try {
      const answer = await this.#connections.exchange(question, deadline, Infinity).catch((error) => {
        const isRepeated = error instanceof Ended && (!error.isHeard || (!error.hasBegun && performance.now() < latest));
        if (!isRepeated) throw error;
        // To a new connection. Where the listener has no room, the window may be over when there is one.
        this.#connections.closeIdle();
        return this.#connections.exchange(question, deadline, error.isHeard ? latest : Infinity);
      });
      try {
        return read(answer);
      } catch (error) {
        if (!(error instanceof Refused || error instanceof Fault || error instanceof NotReady)) answer.reject();
        throw error;
      }
    } catch (error) {
      throw error instanceof Ended ? new NoAnswer('no answer: the connection ended before it was whole') : error;
    } finally {
      deadline.clear();
    }
  }
}

/** A name that is misspelt must not be taken for one that was left out. */
function expectMembers(what, options, known) {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${what}: expected an object with ${known.join(', ')}`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`${what}: unknown name ${JSON.stringify(name)}; it takes ${known.join(', ')}`);
  }
  if (options.signal !== undefined && typeof options.signal?.addEventListener !== 'function') {
    throw new TypeError('expected as signal an AbortSignal');
  }
}

function expectNumber(name, value, least, most, isOne = Number.isFinite) {
  if (!isOne(value) || value < least || value > most) throw new RangeError(`expected as ${name} a number from ${least} to ${most}`);
}

function parsed(address) {
  if (typeof address !== 'string') throw new TypeError('expected an address as a string');
  const [, host, port] = LOOPBACK.exec(address) ?? [];
  if (Number(port) <= 65_535) return { __proto__: null, host: host.replace(/[[\]]/g, ''), port: Number(port) };
  if (address === '' || address.includes('\0') || address.includes('://') || Buffer.byteLength(address) > PATH_BYTES) {
    throw new RangeError(
      `expected the path of a UNIX socket, of at most ${PATH_BYTES} bytes, http://127.0.0.1:PORT or http://[::1]:PORT`);
  }
  return { __proto__: null, path: address };
}
