/** What an answer means, read by the letter (clients/README.md, "How an answer is read"). What is not so is a ForeignAnswer. */
import { Fault, ForeignAnswer, NotReady, Refused } from './errors.js';
import { NotJSON, oneObject } from './json.js';
import { SEAL, ValidToken } from './tokens.js';

const LEVELS = 16;
const NAME = /^[A-Z_]{1,64}$/;
const WORD = /^[a-z0-9-]{1,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const TIME = /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
/** The bound of a token's ttl, which has at most twelve digits. */
const LONGEST_LIFE = 999_999_999_999;
const SECONDS = /^[0-9]{1,5}$/;
const USES = new Set(['first', 'retry', 'not-enforced']);
export const REQUEST_ID = /^[A-Za-z0-9._:+/=@-]{1,128}$/;

/**
 * The valid token; throws Refused, Fault or ForeignAnswer.
 *
 * `requestID` is the one that was sent; undefined if the daemon chooses one.
 */
export function ofToken(answer, asked, requestID) {
  const members = membersOf(answer);
  const kind = kindOf(members);
  if (kind === 'error') throw errorOf(answer, members, asked.isDecision);
  const named = text(members, 'requestID', REQUEST_ID);
  expect(requestID === undefined || named === requestID, "another request id; is the header the daemon's requestIDHeader?");
  if (kind === 'fault') {
    expect(answer.status === 503 && hasNumber(members, 64, 127), 'a fault that its status or number contradicts');
    throw faultOf(members, answer, named);
  }
  const identity = identityOf(members, asked.identities);
  if (members.get('verdict') !== 'VALID_TOKEN') {
    expect(answer.status === 403 && hasNumber(members, 1, 63), 'a verdict that its status or number contradicts');
    throw refusalOf(members, identity, named);
  }
  expect(answer.status === 200 && hasNumber(members, 0, 0), 'a verdict that its status or number contradicts');
  const use = useOf(members, identity);
  const requestorID = text(members, 'requestorID');
  const resourceID = text(members, 'resourceID');
  expect(asked.requestor === undefined || asked.requestor === requestorID, 'a valid token for another requestor');
  expect(asked.resource === undefined || asked.resource === resourceID, 'a valid token for another resource');
  const unknownFields = members.get('unknownFields');
  const isTexts = Array.isArray(unknownFields) && unknownFields.every((name) => typeof name === 'string');
  expect(isTexts, 'a member unknownFields of another type');
  const ttlMilliseconds = members.get('ttlMilliseconds');
  expect(Number.isInteger(ttlMilliseconds) && ttlMilliseconds >= 0 && ttlMilliseconds <= LONGEST_LIFE, 'a member ttlMilliseconds of another type');
  return new ValidToken(SEAL, {
    identity, requestorID, resourceID, mvpdId: text(members, 'mvpdId'), proxyMvpdId: optional(members, 'proxyMvpdId'),
    sessionGUID: text(members, 'sessionGUID'), issueTime: time(members, 'issueTime'), expiresAt: time(members, 'expiresAt'),
    ttlMilliseconds, keyFingerprint: text(members, 'keyFingerprint', DIGEST), unknownFields: Object.freeze(unknownFields), use,
    viewerTag: optional(members, 'viewerTag'), handover: optional(members, 'handover'), requestID: named,
  });
}

/** Returns if it is ready; throws NotReady, Fault or ForeignAnswer. */
export function ofReadiness(answer) {
  const members = membersOf(answer);
  if (!members.has('status')) {
    expect(kindOf(members) === 'error', 'no status');
    throw errorOf(answer, members, false);
  }
  expect(!['verdict', 'fault', 'error'].some((name) => members.has(name)), 'two outcomes');
  if (members.get('status') === 'not-ready') {
    expect(answer.status === 503, 'a status that the member contradicts');
    const reason = text(members, 'reason', WORD);
    const said = { reason, detail: text(members, 'detail'), cure: text(members, 'cure'), retryAfter: retryAfter(answer) };
    throw new NotReady(`not ready: ${reason}`, said);
  }
  expect(members.get('status') === 'ready' && answer.status === 200, 'no status');
}

function membersOf(answer) {
  expect(answer.fields.get('content-type') === 'application/json', 'another content type');
  try {
    return oneObject(answer.body, LEVELS);
  } catch (error) {
    if (error instanceof NotJSON) throw foreign('not one JSON object that can be read in one way only');
    throw error;
  }
}

function kindOf(members) {
  const kinds = ['verdict', 'fault', 'error'].filter((name) => members.has(name));
  expect(kinds.length === 1, 'neither one verdict nor one fault nor one error');
  return kinds[0];
}

function identityOf(members, expected) {
  if (!members.has('identity')) return undefined;
  const identity = text(members, 'identity', DIGEST);
  expect(expected.has(identity), 'about a different token from the one that was sent');
  return identity;
}

function useOf(members, identity) {
  expect(identity !== undefined, 'a valid token without a name');
  expect(members.get('action') === 'none' && members.get('adobeCode') === 'VALID_TOKEN', 'a verdict that its action contradicts');
  const use = text(members, 'use');
  expect(USES.has(use), 'an unknown use');
  return use;
}

function refusalOf(members, identity, requestID) {
  const verdict = text(members, 'verdict', NAME);
  const reason = text(members, 'reason', WORD);
  const action = text(members, 'action', WORD);
  const adobeCode = text(members, 'adobeCode', NAME);
  expect(action !== 'none' && adobeCode !== 'VALID_TOKEN', 'a verdict that its action contradicts');
  const detail = text(members, 'detail');
  return new Refused(`${verdict}: ${reason}`, { verdict, reason, detail, action, adobeCode, identity, requestID });
}

function faultOf(members, answer, requestID) {
  const code = text(members, 'fault', NAME);
  const action = text(members, 'action', WORD);
  expect(action !== 'none', 'a fault that its action contradicts');
  return new Fault(`no verdict: ${code}`, { code, status: answer.status, action, retryAfter: retryAfter(answer), requestID });
}

function errorOf(answer, members, isDecision) {
  const code = text(members, 'error', WORD);
  const detail = text(members, 'detail');
  expect(answer.status >= 400 && answer.status <= 599, 'an error that its status contradicts');
  const action = members.has('action') ? text(members, 'action', WORD) : 'report';
  expect(action !== 'none', 'an error that its action contradicts');
  if (code === 'no-token-in-decision') {
    expect(isDecision && answer.status === 403, 'about a decision that was not sent');
    return new Refused(code, { reason: code, detail, action, decisionError: optional(members, 'decisionError') });
  }
  const { status } = answer;
  return new Fault(`no verdict: ${code} (${status})`, { code, status, detail, action, retryAfter: retryAfter(answer) });
}

function retryAfter(answer) {
  const value = answer.fields.get('retry-after') ?? '';
  return SECONDS.test(value) ? Number(value) : undefined;
}

function text(members, name, form = undefined) {
  const value = members.get(name);
  expect(typeof value === 'string' && (form === undefined || form.test(value)), `without a member ${name} of its form`);
  return value;
}

const optional = (members, name) => (members.has(name) ? text(members, name) : undefined);

function hasNumber(members, least, most) {
  const value = members.get('number');
  return Number.isInteger(value) && value >= least && value <= most;
}

/** In milliseconds since 1970. Days and hours that there are not become others, or none: they are written in another way then. */
function time(members, name) {
  const written = text(members, name, TIME);
  const milliseconds = Date.parse(written);
  expect(Number.isFinite(milliseconds) && new Date(milliseconds).toISOString() === written, `without a member ${name} of its form`);
  return milliseconds;
}

function expect(holds, otherwise) {
  if (!holds) throw foreign(otherwise);
}

const foreign = (what) => new ForeignAnswer(`foreign answer: ${what}`);
