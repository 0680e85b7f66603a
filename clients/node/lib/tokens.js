/** What a valid token's answer says. Only reading such an answer makes these, of private fields, which nothing copies. */

/** Known to the code that reads answers, and to no other: the package exports index.js and middleware.js alone. */
export const SEAL = Symbol('mediatoken.seal');

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A token that may play, now. It is used up. */
export class ValidToken {
  #members;

  constructor(seal, members) {
    if (seal !== SEAL) throw new TypeError('a ValidToken is made by a Client alone; call verify');
    this.#members = { ...members };
    Object.freeze(this);
  }

  /** What was only given the prototype is no ValidToken. */
  static [Symbol.hasInstance](value) { return typeof value === 'object' && value !== null && #members in value; }

  get identity() { return this.#members.identity; }
  get requestorID() { return this.#members.requestorID; }
  get resourceID() { return this.#members.resourceID; }
  get mvpdId() { return this.#members.mvpdId; }
  get proxyMvpdId() { return this.#members.proxyMvpdId; }
  get sessionGUID() { return this.#members.sessionGUID; }
  // A Date can be changed: each reader has one of its own.
  get issueTime() { return new Date(this.#members.issueTime); }
  get expiresAt() { return new Date(this.#members.expiresAt); }
  get ttlMilliseconds() { return this.#members.ttlMilliseconds; }
  get keyFingerprint() { return this.#members.keyFingerprint; }
  get unknownFields() { return this.#members.unknownFields; }
  get use() { return this.#members.use; }
  get viewerTag() { return this.#members.viewerTag; }
  get handover() { return this.#members.handover; }
  get requestID() { return this.#members.requestID; }

  toString() { return `ValidToken ${this.identity} use=${this.use} requestID=${this.requestID}`; }

  toJSON() { return { identity: this.identity, use: this.use, requestID: this.requestID }; }

  [INSPECT]() { return `<${this}>`; }
}

// Getters that other code of the process put in place of these would speak for every token.
Object.freeze(ValidToken.prototype);
Object.freeze(ValidToken);
