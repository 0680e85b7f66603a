/** For the tests of an application: an object with a Client's interface, and no daemon. */
import { Refused, Unavailable, validToken } from './client.js';

export class FakeClient {
  #outcomes = new Map();
  #count = 0;

  /** A token that plays once, for the requestor and resource that are asked for. Members are those of a ValidToken. */
  valid(members = {}) { return this.#made({ valid: members }); }

  refused(verdict, reason, action = 'new-token') { return this.#made({ verdict, reason, action }); }

  unavailable(code, action = 'retry') { return this.#made({ code, action }); }

  async verify(token, { requestor, resource }) {
    const name = Buffer.from(token).toString();
    const outcome = this.#outcomes.get(name) ?? { verdict: 'INVALID_TOKEN_FORMAT', reason: 'unknown-form', action: 'new-token' };
    const common = { detail: 'a fake', requestID: 'fake', action: outcome.action };
    if (outcome.code) throw new Unavailable(`no verdict: ${outcome.code} (503)`, { ...common, code: outcome.code, status: 503 });
    if (!outcome.valid) throw new Refused(`${outcome.verdict}: ${outcome.reason}`, { ...common, adobeCode: 'ERROR_UNKNOWN', ...outcome });
    this.#outcomes.set(name, { verdict: 'TOKEN_REPLAYED', reason: 'already-used', action: 'new-token' });
    return validToken({
      identity: '0'.repeat(64), mvpdId: 'Sample_MVPD', sessionGUID: 'an account', keyFingerprint: '0'.repeat(64), ttlMilliseconds: 3_600_000,
      issueTime: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-01T01:00:00.000Z', unknownFields: [], use: 'first', requestID: 'fake',
      requestorID: String(requestor), resourceID: String(resource.text ?? resource.id ?? resource.description ?? resource), ...outcome.valid,
    });
  }

  async verifyDecision(decision, question) { return this.verify(decision, question); }

  close() {}

  #made(outcome) {
    this.#count += 1;
    this.#outcomes.set(`fake ${this.#count}`, outcome);
    return `fake ${this.#count}`;
  }
}
