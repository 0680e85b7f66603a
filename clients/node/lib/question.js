/** What can be asked, and how it is written. */
import { ofDecision, ofToken } from './identity.js';
import { isWellFormed } from './json.js';
import { bytesOf } from './text.js';

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
const ESCAPES = Array.from({ length: 256 }, (_, byte) => '%' + byte.toString(16).toUpperCase().padStart(2, '0'));

/** A form, which carries every byte of a token. */
export function aboutToken(token, requestor, resource) {
  const received = receivedBytes(token);
  const names = wantedNames(requestor, resource);
  let form = 'token=' + percentEncoded(received);
  for (const [name, text] of Object.entries(names)) form += `&${name}=${percentEncoded(bytesOf(text))}`;
  return asked('application/x-www-form-urlencoded', Buffer.from(form, 'latin1'), new Set([ofToken(received)]), names, false);
}

/** The decision's own bytes inside an object of ours. Throws NotJSON if it is not one JSON object. */
export function aboutDecision(decision, requestor, resource) {
  const received = plainBytes('decision', decision);
  const names = wantedNames(requestor, resource);
  const identities = ofDecision(received);
  const head = JSON.stringify(names).slice(0, -1) + (Object.keys(names).length > 0 ? ',' : '') + '"decision":';
  return asked('application/json', Buffer.concat([Buffer.from(head), received, Buffer.from('}')]), identities, names, true);
}

function asked(kind, body, identities, names, isDecision) {
  // Without a requestor or resource here the daemon's own is meant, or what is no plain text.
  return { kind, body, identities, requestor: names.requestor, resource: names.resource, isDecision };
}

const percentEncoded = (bytes) => bytes.toString('latin1').replace(RESERVED, (character) => ESCAPES[character.charCodeAt(0)]);

/** One that is empty is sent as one space, which the daemon trims: a form has no empty values. */
function receivedBytes(token) {
  const bytes = plainBytes('token', token);
  return bytes.length > 0 ? bytes : Buffer.from(' ');
}

function plainBytes(what, value) {
  if (typeof value === 'string') return bytesOf(value);
  if (!(value instanceof Uint8Array)) throw new TypeError(`expected a ${what} as a string or bytes, found ${kindOf(value)}`);
  // A copy: the caller may change its bytes while the answer is waited for.
  return Buffer.from(value);
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
