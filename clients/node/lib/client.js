/** The client: questions by node:http over the daemon's UNIX socket, and what an answer means. index.d.ts says how to use it. */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const OPTIONAL = ['proxyMvpdId', 'viewerTag', 'handover'];
const MEMBERS = ['identity', 'requestorID', 'resourceID', 'mvpdId', 'sessionGUID', 'issueTime', 'expiresAt', 'ttlMilliseconds',
  'keyFingerprint', 'unknownFields', 'use', 'requestID', ...OPTIONAL];
const MAKER = Symbol('mediatoken.maker');

export const CONFIGURED = Symbol('mediatoken.CONFIGURED');
export class Document { constructor(text) { this.text = text; } }
export class Channel { constructor(id) { this.id = id; } }

/** Its members are private: nothing prints those that no log may have, and nothing else is an instance. */
export class ValidToken {
  #said;
  static { for (const name of MEMBERS) Object.defineProperty(this.prototype, name, { get() { return this.#said[name]; } }); }
  constructor(maker, said) {
    if (maker !== MAKER) throw new TypeError('a ValidToken is made by verify alone');
    this.#said = said;
  }
  static [Symbol.hasInstance](value) { return typeof value === 'object' && value !== null && #said in value; }
  toString() { return `ValidToken ${this.identity} use=${this.use} requestID=${this.requestID}`; }
  toJSON() { return { identity: this.identity, use: this.use, requestID: this.requestID }; }
  [INSPECT]() { return `<${this}>`; }
}

/** The token that an answer is about, or null if it is not whole. Not exported by index.js: verify calls it, and doubles of tests. */
export function validToken(answer) {
  const said = { ...answer, issueTime: new Date(answer.issueTime), expiresAt: new Date(answer.expiresAt) };
  const isWhole = MEMBERS.every((name) => said[name] !== undefined || OPTIONAL.includes(name)) && said.issueTime < said.expiresAt;
  return isWhole ? new ValidToken(MAKER, said) : null;
}

export class NotValid extends Error {
  constructor(message, members) {
    super(message);
    // What is for people may repeat what the token says: it is not printed.
    for (const [name, value] of Object.entries(members)) Object.defineProperty(this, name, { value, enumerable: name !== 'detail' });
  }
  get name() { return this.constructor.name; }
}
export class Refused extends NotValid {}
export class Unavailable extends NotValid {}

/** What is idle and can be read says what no question asked for: its connection ends. */
class Connections extends Agent {
  keepSocketAlive(socket) { return super.keepSocketAlive(socket.on('data', destroy)); }
  reuseSocket(socket, asked) { super.reuseSocket(socket.off('data', destroy), asked); }
}
function destroy() { this.destroy(); }

export class Client {
  #address; #timeout; #header; #agent;

  constructor(address, { timeout = 5000, requestIDHeader, connections = 64 } = {}) {
    if (typeof address !== 'string' || address === '') throw new TypeError('expected the path of a UNIX socket');
    [this.#address, this.#timeout, this.#header] = [address, timeout, requestIDHeader];
    this.#agent = new Connections({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, scheduling: 'lifo' });
  }

  async verify(token, question) {
    const names = wanted(question);
    // A form has no empty values; the daemon trims the space.
    const received = (bytes(token).toString('latin1') || ' ').replace(/[^\w.~ -]/g, escape).replaceAll(' ', '+');
    return this.#ask('application/x-www-form-urlencoded', `${new URLSearchParams({ ...names, token: '' })}${received}`, names, question);
  }

  async verifyDecision(decision, question) {
    const names = wanted(question);
    const received = bytes(decision);
    const bad = { code: 'bad-decision', status: 400, detail: 'expected one JSON object', action: 'retry' };
    // What follows an object could say a requestor or a resource of its own.
    if (object(received.toString()) === null) throw new Unavailable('no verdict: bad-decision (400)', bad);
    const [before] = JSON.stringify({ ...names, decision: null }).split('null}');
    return this.#ask('application/json', Buffer.concat([Buffer.from(before), received, Buffer.from('}')]), names, question);
  }

  close() { this.#agent.destroy(); }

  async #ask(kind, body, names, { requestID, signal }) {
    const headers = { Host: 'localhost', 'Content-Type': kind, 'Content-Length': Buffer.byteLength(body) };
    if (this.#header !== undefined) headers[this.#header] = requestID ??= randomBytes(16).toString('hex');
    const isID = requestID === undefined || (this.#header !== undefined && /^[\w.:+/=@-]{1,128}$/.test(requestID));
    if (!isID) throw new RangeError('a request id has 1 to 128 letters, digits and . _ - : + / = @, and needs requestIDHeader');
    // Of idle connections the loop must have seen the end, and bytes that no question asked for.
    if (Object.keys(this.#agent.freeSockets).length > 0) await turnOfTheLoop();
    const answer = await new Promise((resolve) => this.#exchange(body, headers, signal, resolve));
    return meaning(answer, names, requestID);
  }

  /** Resolves with `status`, `said` and `after` of the answer, or with `problem`. Only a connection whose answer came whole is kept. */
  #exchange(body, headers, signal, resolve) {
    const asked = request({ agent: this.#agent, socketPath: this.#address, method: 'POST', path: '/v1/verify', headers, signal });
    const fail = (problem) => { resolve({ problem }); asked.destroy(); };
    const timer = setTimeout(fail, this.#timeout, 'none came in time');
    asked.on('error', ({ syscall, code }) => {
      fail(syscall === 'connect' ? `cannot connect (${code}); check the address, and whether mediatokend runs` : 'it did not come whole');
    });
    asked.on('close', () => { clearTimeout(timer); fail('it did not come whole'); });
    asked.on('response', (answer) => {
      const pieces = [];
      let length = 0;
      answer.on('error', () => {});
      answer.on('data', (piece) => { if ((length += piece.length) <= 1 << 20) pieces.push(piece); else asked.destroy(); });
      answer.on('end', () => {
        const said = object(Buffer.concat(pieces).toString());
        if (said === null) asked.destroy();
        resolve({ status: answer.statusCode, said: said ?? {}, after: answer.headers['retry-after'] });
      });
    });
    asked.end(body);
  }
}

/** The second one is needed: the first may come in the turn in which it was asked for, whose look was earlier. */
const turnOfTheLoop = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });
const escape = (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;

function bytes(text) {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) throw new TypeError('expected a text or bytes');
  return Buffer.from(text);
}

/** The parameters; what is left out is for the daemon's configuration to say. */
function wanted({ requestor, resource }) {
  const names = { requestor, resource };
  if (resource instanceof Document) [names.resource, names.resourceDocument] = [CONFIGURED, resource.text];
  if (resource instanceof Channel) [names.resource, names.resourceChannel] = [CONFIGURED, resource.id];
  const given = Object.entries(names).filter(([, text]) => text !== CONFIGURED);
  for (const [name, text] of given) {
    if (typeof text !== 'string' || text === '') throw new TypeError(`expected as ${name} a text that is not empty, or CONFIGURED`);
  }
  return Object.fromEntries(given);
}

/** One JSON object, and null of anything else. */
function object(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch { return null; }
}

/** Valid is 200 with the verdict and about what was asked, and nothing else. */
function meaning({ status, said = {}, after, problem = 'what answered is not mediatokend' }, names, requestID) {
  const expected = { verdict: 'VALID_TOKEN', requestorID: names.requestor, resourceID: names.resource, requestID };
  if (status === 200 && Object.entries(expected).every(([name, value]) => value === undefined || said[name] === value)) {
    const token = validToken(said);
    if (token !== null) return token;
  }
  const text = (name) => (typeof said[name] === 'string' && said[name] !== '' ? said[name] : undefined);
  const [verdict, error, reason = '', detail = ''] = ['verdict', 'error', 'reason', 'detail'].map(text);
  const common = { detail, action: text('action') ?? 'retry', requestID: requestID ?? text('requestID') };
  const refused = { verdict: verdict ?? null, reason: reason || error, adobeCode: text('adobeCode') ?? 'ERROR_UNKNOWN', ...common };
  const isOurs = verdict && verdict !== 'VALID_TOKEN' && [undefined, said.requestID].includes(requestID);
  if (status === 403 && isOurs) throw new Refused(`${verdict}: ${reason}`, refused);
  if (status === 403 && error === 'no-token-in-decision') throw new Refused(error, refused);
  const code = text('fault') ?? error;
  if (status === 200 || code === undefined) {
    throw new Unavailable(`no verdict: NO_ANSWER (${problem})`, { code: 'NO_ANSWER', status, detail: problem, action: 'retry', requestID });
  }
  const retryAfter = /^[0-9]{1,5}$/.test(after) ? Number(after) : undefined;
  throw new Unavailable(`no verdict: ${code} (${status})`, { code, status, retryAfter, ...common });
}
