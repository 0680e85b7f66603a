/** The client. */
import { randomBytes } from 'node:crypto';

import { REQUEST_ID, ofReadiness, ofToken } from './answer.js';
import { Connection, Ended, Unsent } from './connection.js';
import { Deadline } from './deadline.js';
import { Fault, NoAnswer, NotReady, Refused } from './errors.js';
import { NotJSON } from './json.js';
import { Pool } from './pool.js';
import { aboutDecision, aboutToken } from './question.js';
import { asked, client } from './settings.js';
import { Turns } from './turns.js';

/** Room for a token of the greatest length with every byte escaped. */
const ANSWER_BYTES = 1 << 20;

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

export class Client {
  #address;
  #settings;
  #pool;
  #turns;

  constructor(address, settings = {}) {
    this.#settings = client(address, settings);
    this.#address = this.#settings.address;
    this.#pool = new Pool(this.#settings.idleConnections);
    this.#turns = new Turns(this.#settings.connections);
  }

  async verify(token, question) {
    const { requestor, resource, requestID, signal } = asked('verify', question);
    return this.#verify(aboutToken(token, requestor, resource), requestID, signal);
  }

  async verifyDecision(decision, question) {
    const { requestor, resource, requestID, signal } = asked('verifyDecision', question);
    let about;
    try {
      about = aboutDecision(decision, requestor, resource);
    } catch (error) {
      if (!(error instanceof NotJSON)) throw error;
      const detail = 'expected one JSON object, as Adobe sent it';
      throw new Fault('no verdict: bad-decision (400)', { code: 'bad-decision', status: 400, detail });
    }
    return this.#verify(about, requestID, signal);
  }

  async checkReady(options = {}) {
    const { signal } = asked('checkReady', options);
    await this.#exchange(written('GET /readyz', []), ofReadiness, this.#settings.timeout, signal);
  }

  close() { this.#pool.close(); }

  toString() { return `Client ${this.#settings.text}`; }

  [INSPECT]() { return `<${this}>`; }

  #verify(about, wantedID, signal) {
    const fields = [['Content-Type', about.kind]];
    const header = this.#settings.requestIDHeader;
    let requestID = wantedID;
    if (header === undefined) {
      if (requestID !== undefined) {
        throw new RangeError("a request id needs the client's requestIDHeader, the daemon's setting of that name");
      }
    } else {
      requestID ??= randomBytes(16).toString('hex');
      if (typeof requestID !== 'string' || !REQUEST_ID.test(requestID)) {
        throw new RangeError('expected a request id of 1 to 128 letters, digits and . _ - : + / = @');
      }
      fields.push([header, requestID]);
    }
    const question = written('POST /v1/verify', fields, about.body);
    const read = (answer) => ofToken(answer, about, requestID);
    return this.#exchange(question, read, this.#settings.retryWindow, signal);
  }

  /**
   * Asks, at most twice, and reads the answer.
   *
   * `repeatsWithin` is for how many milliseconds a question that was sent may be sent again; undefined: never.
   */
  async #exchange(question, read, repeatsWithin, signal) {
    const deadline = new Deadline(this.#settings.timeout, signal);
    try {
      await this.#turns.take(deadline);
      try {
        return await this.#exchangeNow(question, read, repeatsWithin, deadline);
      } finally {
        this.#turns.give();
      }
    } finally {
      deadline.clear();
    }
  }

  async #exchangeNow(question, read, repeatsWithin, deadline) {
    const start = performance.now();
    let connection = null;
    let answer = null;
    try {
      connection = (await this.#pool.take(deadline)) ?? (await Connection.to(this.#address, deadline));
      try {
        answer = await connection.exchange(question, ANSWER_BYTES, deadline);
      } catch (error) {
        const mayRepeat = () => error instanceof Unsent || (error instanceof Ended && !error.hasBegun
          && repeatsWithin !== undefined && performance.now() - start < repeatsWithin);
        if (!mayRepeat()) throw error;
        connection.close();
        connection = await Connection.to(this.#address, deadline);
        // Where the listener had no room, the window may be over by now.
        if (!mayRepeat()) throw error;
        answer = await connection.exchange(question, ANSWER_BYTES, deadline);
      }
      const outcome = read(answer);
      this.#keep(connection, answer);
      return outcome;
    } catch (error) {
      const isOurs = error instanceof Refused || error instanceof Fault || error instanceof NotReady;
      if (answer !== null && isOurs) this.#keep(connection, answer);
      else connection?.close();
      if (error instanceof Ended) throw new NoAnswer('no answer: the connection ended before it was whole');
      throw error;
    }
  }

  #keep(connection, answer) {
    if (answer.isKept) this.#pool.give(connection);
    else connection.close();
  }
}

function written(line, fields, body = undefined) {
  let head = `${line} HTTP/1.1\r\nHost: localhost\r\n`;
  for (const [name, value] of fields) head += `${name}: ${value}\r\n`;
  head = Buffer.from(body === undefined ? `${head}\r\n` : `${head}Content-Length: ${body.length}\r\n\r\n`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}
