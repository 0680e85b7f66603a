/** What a valid token's answer says. Only reading such an answer makes these, of private fields, which nothing copies. */

/** Known to the code that reads answers, and to no other: the package exports index.js and middleware.js alone. */
export const SEAL = Symbol('mediatoken.seal');

const MEMBERS = [
  'identity', 'requestorID', 'resourceID', 'mvpdId', 'proxyMvpdId', 'sessionGUID', 'ttlMilliseconds', 'keyFingerprint',
  'unknownFields', 'use', 'viewerTag', 'handover', 'requestID',
];

/** A token that may play, now. It is used up. */
export class ValidToken {
  #members;

  static {
    for (const name of MEMBERS) Object.defineProperty(this.prototype, name, { get() { return this.#members[name]; } });
    // A Date can be changed: each reader has one of its own.
    for (const name of ['issueTime', 'expiresAt']) {
      Object.defineProperty(this.prototype, name, { get() { return new Date(this.#members[name]); } });
    }
  }

  constructor(seal, members) {
    if (seal !== SEAL) throw new TypeError('a ValidToken is made by a Client alone; call verify');
    this.#members = { ...members };
    Object.freeze(this);
  }

  /** What was only given the prototype is no ValidToken. */
  static [Symbol.hasInstance](value) { return typeof value === 'object' && value !== null && #members in value; }

  toString() { return `ValidToken ${this.identity} use=${this.use} requestID=${this.requestID}`; }

  toJSON() { return { identity: this.identity, use: this.use, requestID: this.requestID }; }

  [Symbol.for('nodejs.util.inspect.custom')]() { return `<${this}>`; }
}

// Getters that other code of the process put in place of these would speak for every token.
Object.freeze(ValidToken.prototype);
Object.freeze(ValidToken);
