/** Runs where the kit is installed: inside.mjs SOCKET < tokens. Prints a line for each thing that holds, or fails. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';

import * as kit from 'mediatoken';

import { gates } from './gates.mjs';

const { Client, NoAnswer, NotValid, Refused, ValidToken } = kit;
const address = process.argv[2];
const tokens = readFileSync(0, 'latin1').split('\n').filter((text) => text !== '');
const daemon = new Client(address, { timeout: 300_000 });
const QUESTION = { requestor: 'REF30', resource: 'TNT' };

const says = (text, holds, found = '') => (holds ? console.log(text) : console.error(`not so: ${text}`, found));

/** What a call throws or rejects with; undefined if nothing. */
async function thrown(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function throwsAll(kind, ...calls) {
  for (const call of calls) if (!((await thrown(call)) instanceof kind)) return false;
  return true;
}

async function sealed() {
  const token = await daemon.verify(tokens.pop(), QUESTION);
  says('a valid token is one', token instanceof ValidToken && token.use === 'first');
  says('a valid token is made by a client alone', await throwsAll(
    TypeError, () => new ValidToken(), () => new ValidToken(Symbol('mediatoken.seal'), {}),
    () => new (class extends ValidToken {})(), () => Reflect.construct(Object, [], ValidToken).use, () => ValidToken(),
    () => new token.constructor()));
  const hidden = await thrown(() => import('mediatoken/lib/tokens.js'));
  says('what makes a valid token is not exported', hidden?.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  const forged = Object.create(ValidToken.prototype);
  const copies = [forged, { ...token }, structuredClone(token), JSON.parse(JSON.stringify(token)), deserialize(serialize(token)),
    Object.assign(Object.create(ValidToken.prototype), token), new Proxy(token, {})];
  says('what is copied or shaped like a valid token is not one', copies.every((copy) => !(copy instanceof ValidToken)), copies);
  says('what is copied or shaped like a valid token has no members', await throwsAll(
    TypeError, () => forged.use, () => forged.sessionGUID, () => new Proxy(token, {}).use));
  says('a valid token is not changed', await throwsAll(
    TypeError, () => { token.use = 'retry'; }, () => { token.mine = 1; }, () => { ValidToken.prototype.mine = 1; },
    () => Object.defineProperty(token, 'use', { value: 'retry' }),
    () => Object.defineProperty(ValidToken.prototype, 'use', { value: 'x' }),
    () => Object.setPrototypeOf(token, {}), () => { ValidToken.mine = 1; }, () => token.unknownFields.push('x')));
  token.expiresAt.setTime(0);
  says('the times of a valid token are not changed', token.expiresAt.getTime() > Date.now());
  await texts(token);
}

const PRINTING = [
  {}, { showHidden: true, depth: null }, { customInspect: false, depth: null }, { getters: true, depth: null },
  { showHidden: true, customInspect: false, depth: null }, { getters: true, showHidden: true, depth: null },
];

/** Whatever prints an object: none of it has the account. */
async function texts(token) {
  const guid = token.sessionGUID;
  const refused = await thrown(() => daemon.verify(tokens.at(-1), { requestor: 'REF30', resource: 'TBS' }));
  const all = { token, refused, daemon, nested: [{ a: { b: { token, refused } } }], map: new Map([[token, refused]]) };
  const printed = [];
  for (const value of [all, ...Object.values(all)]) {
    for (const options of PRINTING) printed.push(inspect(value, options));
    printed.push(JSON.stringify(value), String(value), format('%o %O %j %s', value, value, value, value));
  }
  for (const value of [token, refused]) {
    printed.push(inspect(structuredClone(value), { showHidden: true }), serialize(value).toString('latin1'));
  }
  says('the test knows the account and a detail', guid.length >= 8 && refused.detail.length > 20, refused.detail);
  const wrong = printed.filter((text) => text.includes(guid) || text.includes(refused.detail));
  says('no text has the account or the detail', printed.length > 50 && wrong.length === 0, wrong);
  says('texts have what may be logged', inspect(token).includes(token.identity) && `${token}`.includes(token.requestID)
    && JSON.stringify(token).includes('"use":"first"') && inspect(refused).includes('INVALID_RESOURCE_ID')
    && JSON.stringify(refused).includes('other-resource'));
}

/** What is a text, empty or too long is no case of the language: conformance has it. */
async function misuse() {
  const wrong = [
    undefined, null, {}, { resource: 'TNT' }, { requestor: 'REF30' }, { ...QUESTION, requestor: null },
    { ...QUESTION, resource: null },
    { requestor: 7, resource: 'TNT' }, { ...QUESTION, resource: ['TNT'] }, { ...QUESTION, resource: { text: 'TNT' } },
    { ...QUESTION, requestId: 'x' }, { ...QUESTION, ressource: 'TNT' }, { ...QUESTION, signal: {} }, { ...QUESTION, signal: null },
  ];
  const asking = wrong.map((question) => () => daemon.verify('token', question));
  const others = [undefined, null, 7, {}, ['token'], new ArrayBuffer(8)].map((token) => () => daemon.verify(token, QUESTION));
  says('what is no question, or about no text and no bytes, is not asked', await throwsAll(TypeError, ...asking, ...others));
  const impossible = [{ timeout: 2 ** 31 }, { timeout: NaN }, { timeout: '5' }, { idleConnections: -1 }, { retryWindow: 0 }];
  says('settings that cannot be are refused', await throwsAll(
    RangeError, ...impossible.map((settings) => () => new Client(address, settings)), () => new Client('\0mediatokend'),
    () => daemon.verify('x', { ...QUESTION, requestor: '\ud800' })));
  says('settings that are misspelt are refused', await throwsAll(
    TypeError, () => new Client(address, { timeOut: 5 }), () => new Client(), () => new Client(address, null)));
  says('half a surrogate pair is refused', await throwsAll(Refused, () => daemon.verify('\ud800', QUESTION)));
  Object.prototype.error = 'late';
  const polluted = await thrown(() => daemon.verify('nonsense', QUESTION));
  delete Object.prototype.error;
  says('a prototype that other code changed says nothing', polluted instanceof Refused);
  await elsewhere();
}

/** The platform's options are looked up in prototypes, too: no question goes to a socket that a client was not told of. */
async function elsewhere() {
  const path = join(tmpdir(), `mediatoken-${process.pid}-elsewhere.sock`);
  let asked = 0;
  const server = createServer((connection) => { asked += 1; connection.on('error', () => {}).destroy(); });
  await new Promise((resolve) => server.listen(path, resolve));
  Object.prototype.path = path;
  const misled = await thrown(() => new Client('http://127.0.0.1:1').verify('x', QUESTION));
  const settings = { requestIDHeader: 'X-Request-ID', retryWindow: 1000 };
  const retries = await thrown(() => new Client('http://127.0.0.1:1', settings));
  delete Object.prototype.path;
  await new Promise((resolve) => server.close(resolve));
  says('a prototype that other code changed does not say where to connect to', misled instanceof NoAnswer && asked === 0 && retries instanceof RangeError,
    [misled, asked, retries]);
}

/** The caller's signal ends a call. */
async function signals() {
  const path = join(tmpdir(), `mediatoken-${process.pid}.sock`);
  const heard = [];
  const server = createServer((connection) => { heard.push(connection); connection.on('error', () => {}).resume(); }).listen(path);
  const silent = new Client(path, { timeout: 300_000 });
  const gone = await thrown(() => silent.verify('x', { ...QUESTION, signal: AbortSignal.abort() }));
  says('a signal that was given before asks nothing', gone instanceof NoAnswer && gone.action === 'retry' && heard.length === 0);
  const abort = new AbortController();
  server.once('connection', () => abort.abort(new Error('secret')));
  const ended = await thrown(() => silent.verify('x', { ...QUESTION, signal: abort.signal }));
  says('a signal that comes ends the wait', ended instanceof NoAnswer && !inspect(ended, { showHidden: true }).includes('secret'), ended);
  const busy = thrown(() => new Client(path, { timeout: 50 }).checkReady());
  block(200);
  says('the deadline ends the wait of a program that was busy past it', (await busy) instanceof NoAnswer);
  for (const connection of heard) connection.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** The program does nothing else meanwhile, so that it hears of nothing. */
const block = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

await sealed();
await misuse();
await signals();
await gates({ daemon, tokens, says, thrown, throwsAll });
const errors = Object.keys(kit).filter((name) => kit[name].prototype instanceof NotValid).sort().join();
says('what is not valid is one of four errors', errors === 'Fault,ForeignAnswer,NoAnswer,Refused', errors);
says('a client with idle connections lets the program end', true);
