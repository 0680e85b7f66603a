/** Everything that is not a valid token. None of these texts has a byte of a token or of an answer that is not ours. */

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** There is no valid token: do not play. */
export class NotValid extends Error {
  #action;

  constructor(message, action = 'report') {
    super(message);
    if (new.target === NotValid) throw new TypeError('expected one of the errors that extend NotValid');
    this.#action = action;
  }

  get action() { return this.#action; }

  toJSON() { return { name: this.name, message: this.message, action: this.action }; }

  [INSPECT]() { return this.stack; }
}

/** The daemon says no. */
export class Refused extends NotValid {
  #members;

  constructor(message, members = {}) {
    super(message, members.action);
    this.#members = { ...members };
  }

  get verdict() { return this.#members.verdict ?? null; }
  get reason() { return this.#members.reason ?? ''; }
  get detail() { return this.#members.detail ?? ''; }
  get adobeCode() { return this.#members.adobeCode ?? 'ERROR_UNKNOWN'; }
  get identity() { return this.#members.identity; }
  get decisionError() { return this.#members.decisionError; }
  get requestID() { return this.#members.requestID; }

  toJSON() {
    const { verdict, reason, adobeCode, identity, requestID } = this;
    return { ...super.toJSON(), verdict, reason, adobeCode, identity, requestID };
  }
}

/** The daemon has no verdict: something is wrong on its side, or with the question. */
export class Fault extends NotValid {
  #members;

  constructor(message, members = {}) {
    super(message, members.action);
    this.#members = { ...members };
  }

  get code() { return this.#members.code ?? ''; }
  get status() { return this.#members.status ?? 0; }
  get detail() { return this.#members.detail ?? ''; }
  get retryAfter() { return this.#members.retryAfter; }
  get requestID() { return this.#members.requestID; }

  toJSON() {
    const { code, status, retryAfter, requestID } = this;
    return { ...super.toJSON(), code, status, retryAfter, requestID };
  }
}

/** No one listens, or no whole answer came in time. */
export class NoAnswer extends NotValid {
  constructor(message) { super(message, 'retry'); }
}

/** What came is not an answer of mediatokend to this question. */
export class ForeignAnswer extends NotValid {
  constructor(message) { super(message, 'report'); }
}

/** The daemon would not play the next good token. */
export class NotReady extends Error {
  #members;

  constructor(message, members = {}) {
    super(message);
    this.#members = { ...members };
  }

  get reason() { return this.#members.reason ?? ''; }
  get detail() { return this.#members.detail ?? ''; }
  get cure() { return this.#members.cure ?? ''; }
  get retryAfter() { return this.#members.retryAfter; }

  toJSON() {
    const { name, message, reason, retryAfter } = this;
    return { name, message, reason, retryAfter };
  }

  [INSPECT]() { return this.stack; }
}

for (const kind of [NotValid, Refused, Fault, NoAnswer, ForeignAnswer, NotReady]) {
  Object.defineProperty(kind.prototype, 'name', { value: kind.name, configurable: true });
}
