/** Everything that is not a valid token. None of these texts has a byte of a token or of an answer that is not ours. */

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Members are apart from the object, so that what prints it shows those alone that `shown` has. */
class Problem extends Error {
  #members;

  constructor(message, members) {
    super(message);
    this.#members = { ...members };
  }

  toJSON() { return Object.fromEntries(['name', 'message', ...this.constructor.shown].map((name) => [name, this[name]])); }

  [INSPECT]() { return this.stack; }

  /** Gives a class its name, and its members with their defaults. */
  static define(kind, members, shown) {
    kind.shown = shown;
    Object.defineProperty(kind.prototype, 'name', { value: kind.name, configurable: true });
    for (const [name, otherwise] of Object.entries(members)) {
      Object.defineProperty(kind.prototype, name, { get() { return this.#members[name] ?? otherwise; }, configurable: true });
    }
  }
}

/** There is no valid token: do not play. */
export class NotValid extends Problem {
  constructor(message, members) {
    super(message, members);
    if (new.target === NotValid) throw new TypeError('expected one of the errors that extend NotValid');
  }
}

/** The daemon says no. */
export class Refused extends NotValid {}

/** The daemon has no verdict: something is wrong on its side, or with the question. */
export class Fault extends NotValid {}

/** No one listens, or no whole answer came in time. */
export class NoAnswer extends NotValid {}

/** What came is not an answer of mediatokend to this question. */
export class ForeignAnswer extends NotValid {}

/** The daemon would not play the next good token. */
export class NotReady extends Problem {}

const none = undefined;
Problem.define(NotValid, { action: 'report' }, ['action']);
Problem.define(Refused, {
  verdict: null, reason: '', detail: '', adobeCode: 'ERROR_UNKNOWN', identity: none, decisionError: none, requestID: none,
}, ['action', 'verdict', 'reason', 'adobeCode', 'identity', 'requestID']);
Problem.define(Fault, { code: '', status: 0, detail: '', retryAfter: none, requestID: none }, [
  'action', 'code', 'status', 'retryAfter', 'requestID']);
Problem.define(NoAnswer, { action: 'retry' }, ['action']);
Problem.define(ForeignAnswer, {}, ['action']);
Problem.define(NotReady, { reason: '', detail: '', cure: '', retryAfter: none }, ['reason', 'retryAfter']);
