/**
 * What can be asked, how it is written, and the names of the tokens in it, by which the answer to another question is noticed.
 *
 * A name is the SHA-256 of the bytes that are signed. Nothing is verified here, and spellings that the daemon refuses are read too: it
 * gives those tokens no name.
 */
import { createHash } from 'node:crypto';

/** In place of a requestor or resource: the one of the daemon's configuration. */
export const CONFIGURED = Symbol('mediatoken.CONFIGURED');

/** A Media RSS document that the token's resource must be the same as, however it is spelled. */
export class Document {
  #text;

  constructor(text) { this.#text = wanted('document', text); }

  get text() { return this.#text; }
}

/** A channel: the token's resource must be this id, or a document whose channel has this title. */
export class Channel {
  #id;

  constructor(id) { this.#id = wanted('channel', id); }

  get id() { return this.#id; }
}

/** Nearly all of a token is plain. */
const RESERVED = /[^A-Za-z0-9_.~-]/g;
const SPACE = ' \t\r\n';
/** Opening marker, signature, second marker, signed bytes: in a text with a character for each byte. */
const TOKEN = /^<signatureInfo>[^<]+<\/?signatureInfo>([^]+)$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Texts, names with their colon. Without alternatives in its loops, which would run out of stack on a long text. */
const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/gs;
const isWellFormed = (text) => !/\p{Surrogate}/u.test(text);

/** A form, which carries every byte of a token. */
export function aboutToken(token, requestor, resource) {
  const received = plainBytes('token', token, ' ');
  const names = wantedNames(requestor, resource);
  const parameters = Object.entries({ token: received, ...names });
  const form = parameters.map(([name, value]) => `${name}=${percentEncoded(Buffer.from(value).toString('latin1'))}`).join('&');
  return { kind: 'application/x-www-form-urlencoded', body: Buffer.from(form), identities: new Set([identity(received)]), names };
}

/** The decision's own bytes inside an object of ours; null of what is not one JSON object, around which more could be read. */
export function aboutDecision(decision, requestor, resource) {
  const received = plainBytes('decision', decision, '');
  const names = wantedNames(requestor, resource);
  const object = oneObject(received);
  if (object === null) return null;
  const decisions = object.get('decisions');
  const texts = Array.isArray(decisions) ? decisions.map((each) => own(own(each, 'token'), 'serializedToken')) : [];
  const identities = new Set(texts.filter((text) => typeof text === 'string').map((text) => identity(bytesOf(text))));
  const head = JSON.stringify(names).slice(0, -1) + (Object.keys(names).length > 0 ? ',' : '') + '"decision":';
  return { kind: 'application/json', body: Buffer.concat([Buffer.from(head), received, Buffer.from('}')]), identities, names };
}

/** The members of the object in UTF-8 that all of these bytes are, as a Map; null of anything else, and where a member is twice. */
export function oneObject(bytes) {
  try {
    const text = UTF8.decode(bytes);
    const value = JSON.parse(text);
    // The platform keeps the last of those that come twice.
    const names = (text.match(TEXTS) ?? []).filter((each) => each.endsWith(':')).length;
    if (typeof value !== 'object' || value === null || Array.isArray(value) || names !== members(value)) return null;
    return new Map(Object.entries(value));
  } catch {
    // No UTF-8, no JSON, or too many levels for the platform. Its message may repeat the text.
    return null;
  }
}

/** How many there are, in all objects. */
function members(value) {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return inside.reduce((sum, each) => sum + members(each), Array.isArray(value) ? 0 : inside.length);
}

const percentEncoded = (text) => text.replace(
  RESERVED, (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'));

/** One that is empty is sent as one space, which the daemon trims: a form has no empty values. */
function plainBytes(what, value, ifEmpty) {
  const isBytes = value instanceof Uint8Array;
  if (typeof value !== 'string' && !isBytes) throw new TypeError(`expected a ${what} as a string or bytes, found ${kindOf(value)}`);
  // A copy: the caller may change its bytes while the answer is waited for.
  return value.length === 0 ? Buffer.from(ifEmpty) : isBytes ? Buffer.from(value) : bytesOf(value);
}

/** UTF-8; and where halves of surrogate pairs are, the bytes that they would be. The platform would put other characters there. */
function bytesOf(text) {
  if (isWellFormed(text)) return Buffer.from(text);
  return Buffer.concat(Array.from(text, (character) => {
    const code = character.codePointAt(0);
    if (isWellFormed(character)) return Buffer.from(character);
    return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
  }));
}

function wantedNames(requestor, resource) {
  const names = {};
  if (requestor !== CONFIGURED) names.requestor = wanted('requestor', requestor);
  if (resource instanceof Document) names.resourceDocument = resource.text;
  else if (resource instanceof Channel) names.resourceChannel = resource.id;
  else if (resource !== CONFIGURED) names.resource = wanted('resource', resource);
  return names;
}

function wanted(what, value) {
  if (typeof value !== 'string') {
    throw new TypeError(`expected a ${what} as a string, found ${kindOf(value)}; CONFIGURED is the daemon's own`);
  }
  if (value === '') throw new RangeError(`expected a ${what}, found an empty text; CONFIGURED is the daemon's own`);
  if (!isWellFormed(value)) throw new RangeError(`expected a ${what} in Unicode, found half a surrogate pair`);
  return value;
}

const kindOf = (value) => (value === null ? 'null' : typeof value);
const own = (value, name) => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined);

/** The name of a token; undefined of what is no token. */
function identity(received) {
  const parts = TOKEN.exec(withoutArmor(received.toString('latin1')));
  return parts === null ? undefined : createHash('sha256').update(parts[1], 'latin1').digest('hex');
}

function withoutArmor(received) {
  let start = 0;
  let end = received.length;
  while (start < end && SPACE.includes(received[start])) start += 1;
  while (end > start && SPACE.includes(received[end - 1])) end -= 1;
  const text = received.slice(start, end);
  if (text.startsWith('<signatureInfo>')) return text;
  if (/^%3c/i.test(text)) return unescaped(text.replaceAll('+', ' '), /%([0-9A-Fa-f]{2})/g);
  if (!text.startsWith('PHNpZ25hdHVyZUluZm8')) return '';
  // A form turns `+` into a space; one at the end was then trimmed.
  const isCut = text.length % 4 === 3 && !text.includes('%') && received[end] === ' ';
  const armor = unescaped(isCut ? text + ' ' : text, /%(2[BbFf]|3[Dd])/g).replaceAll(' ', '+');
  return Buffer.from(armor, 'base64').toString('latin1');
}

const unescaped = (text, escapes) => text.replace(escapes, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
