/** What an answer means, read by the letter (clients/README.md, "How an answer is read"). What is not so is a ForeignAnswer. */
import { Fault, ForeignAnswer, NotReady, Refused } from './errors.js';
import { oneObject } from './question.js';
import { SEAL, ValidToken } from './tokens.js';

const NAME = /^[A-Z_]{1,64}$/;
const WORD = /^[a-z0-9-]{1,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const TIME = /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const USE = /^(first|retry|not-enforced)$/;
const REQUEST_ID = /^[A-Za-z0-9._:+/=@-]{1,128}$/;
/** A token's ttl has at most twelve digits. */
const LONGEST_LIFE = 999_999_999_999;
const KINDS = ['verdict', 'fault', 'error'];

export const isRequestID = (value) => typeof value === 'string' && REQUEST_ID.test(value);

/**
 * The valid token; throws Refused, Fault or ForeignAnswer. `sentID` is the request id that was sent; undefined if the daemon chooses one.
 */
export function ofToken(answer, asked, sentID) {
  const said = new Said(answer);
  const kind = said.kind();
  if (kind === 'error') throw said.error(asked.kind === 'application/json');
  const requestID = said.text('requestID', REQUEST_ID);
  expect(sentID === undefined || requestID === sentID, "another request id; is the header the daemon's requestIDHeader?");
  const { status } = answer;
  if (kind === 'fault') {
    expect(status === 503 && said.number('number', 127) >= 64, 'a fault that its status or number contradicts');
    const code = said.text('fault', NAME);
    throw new Fault(`no verdict: ${code}`, { code, status, action: said.action(), retryAfter: said.retryAfter(), requestID });
  }
  const identity = said.optional('identity', DIGEST);
  expect(identity === undefined || asked.identities.has(identity), 'about a different token from the one that was sent');
  const verdict = said.text('verdict', NAME);
  const number = said.number('number', 63);
  const adobeCode = said.text('adobeCode', NAME);
  if (verdict !== 'VALID_TOKEN') {
    expect(status === 403 && number > 0 && adobeCode !== 'VALID_TOKEN', 'a verdict that its status, number or code contradicts');
    const [reason, detail, action] = [said.text('reason', WORD), said.text('detail'), said.action()];
    throw new Refused(`${verdict}: ${reason}`, { verdict, reason, detail, action, adobeCode, identity, requestID });
  }
  expect(status === 200 && number === 0 && adobeCode === 'VALID_TOKEN' && said.text('action') === 'none',
    'a verdict that its status, number, code or action contradicts');
  expect(identity !== undefined, 'a valid token without a name');
  const [requestorID, resourceID] = [said.text('requestorID'), said.text('resourceID')];
  const { requestor = requestorID, resource = resourceID } = asked.names;
  expect(requestor === requestorID && resource === resourceID, 'a valid token for another requestor or resource');
  const unknownFields = said.members.get('unknownFields');
  expect(Array.isArray(unknownFields) && unknownFields.every((name) => typeof name === 'string'), 'a member unknownFields of another type');
  return new ValidToken(SEAL, {
    identity, requestorID, resourceID, mvpdId: said.text('mvpdId'), proxyMvpdId: said.optional('proxyMvpdId'),
    sessionGUID: said.text('sessionGUID'), issueTime: said.time('issueTime'), expiresAt: said.time('expiresAt'),
    ttlMilliseconds: said.number('ttlMilliseconds', LONGEST_LIFE), keyFingerprint: said.text('keyFingerprint', DIGEST),
    unknownFields: Object.freeze(unknownFields), use: said.text('use', USE), viewerTag: said.optional('viewerTag'),
    handover: said.optional('handover'), requestID,
  });
}

/** Returns if it is ready; throws NotReady, Fault or ForeignAnswer. */
export function ofReadiness(answer) {
  const said = new Said(answer);
  if (!said.members.has('status')) {
    expect(said.kind() === 'error', 'no status');
    throw said.error(false);
  }
  expect(!KINDS.some((name) => said.members.has(name)), 'two outcomes');
  const status = said.text('status');
  if (status === 'not-ready' && answer.status === 503) {
    const reason = said.text('reason', WORD);
    const members = { reason, detail: said.text('detail'), cure: said.text('cure'), retryAfter: said.retryAfter() };
    throw new NotReady(`not ready: ${reason}`, members);
  }
  expect(status === 'ready' && answer.status === 200, 'a status that is neither, or that the member contradicts');
}

/** The members of an answer, each of its form. */
class Said {
  constructor(answer) {
    this.answer = answer;
    const types = answer.fields['content-type'];
    expect(types?.length === 1 && types[0] === 'application/json', 'another content type');
    this.members = oneObject(answer.body);
    expect(this.members !== null, 'not one JSON object that can be read in one way only');
  }

  kind() {
    const kinds = KINDS.filter((name) => this.members.has(name));
    expect(kinds.length === 1, 'neither one verdict nor one fault nor one error');
    return kinds[0];
  }

  error(isDecision) {
    const { status } = this.answer;
    const [code, detail] = [this.text('error', WORD), this.text('detail')];
    expect(status >= 400 && status <= 599, 'an error that its status contradicts');
    const action = this.members.has('action') ? this.action() : 'report';
    if (code !== 'no-token-in-decision') {
      return new Fault(`no verdict: ${code} (${status})`, { code, status, detail, action, retryAfter: this.retryAfter() });
    }
    expect(isDecision && status === 403, 'about a decision that was not sent');
    return new Refused(code, { reason: code, detail, action, decisionError: this.optional('decisionError') });
  }

  action() {
    const action = this.text('action', WORD);
    expect(action !== 'none', 'an outcome that its action contradicts');
    return action;
  }

  retryAfter() {
    const value = this.answer.fields['retry-after']?.[0] ?? '';
    return /^[0-9]{1,5}$/.test(value) ? Number(value) : undefined;
  }

  text(name, form = /^/) {
    const value = this.members.get(name);
    expect(typeof value === 'string' && form.test(value), `without a member ${name} of its form`);
    return value;
  }

  optional(name, form) { return this.members.has(name) ? this.text(name, form) : undefined; }

  number(name, most) {
    const value = this.members.get(name);
    expect(Number.isInteger(value) && value >= 0 && value <= most, `without a member ${name} of its form`);
    return value;
  }

  /** In milliseconds since 1970. Days and hours that there are not become others, or none: they are written in another way then. */
  time(name) {
    const written = this.text(name, TIME);
    const milliseconds = Date.parse(written);
    const isThere = Number.isFinite(milliseconds) && new Date(milliseconds).toISOString() === written;
    expect(isThere, `without a member ${name} of its form`);
    return milliseconds;
  }
}

function expect(holds, otherwise) {
  if (!holds) throw new ForeignAnswer(`foreign answer: ${otherwise}`);
}
