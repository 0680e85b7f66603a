/** Runs where the kit is installed: inside.mjs SOCKET < tokens. Prints a line for each thing that holds, or fails. */
import { fork } from 'node:child_process';
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

function says(text, holds, found = '') {
  if (!holds) {
    console.error(`not so: ${text}`, found);
    process.exit(1);
  }
  console.log(text);
}

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

async function misuse() {
  const wrong = [
    undefined, null, {}, { resource: 'TNT' }, { requestor: 'REF30' }, { ...QUESTION, requestor: null },
    { ...QUESTION, resource: null },
    { requestor: 7, resource: 'TNT' }, { ...QUESTION, resource: ['TNT'] }, { ...QUESTION, resource: { text: 'TNT' } },
    { ...QUESTION, requestId: 'x' }, { ...QUESTION, ressource: 'TNT' }, { ...QUESTION, signal: {} }, { ...QUESTION, signal: null },
  ];
  const asking = wrong.map((question) => () => daemon.verify('token', question));
  says('what is no question is not asked', await throwsAll(TypeError, ...asking));
  const others = [undefined, null, 7, {}, ['token'], new ArrayBuffer(8)].map((token) => () => daemon.verify(token, QUESTION));
  says('a token is a text or bytes', await throwsAll(TypeError, ...others));
  says('there is no empty requestor or resource', await throwsAll(
    RangeError, () => daemon.verify('x', { ...QUESTION, requestor: '' }),
    () => daemon.verify('x', { ...QUESTION, requestor: '\ud800' }), () => new kit.Document(''), () => new kit.Channel('')));
  const impossible = [{ timeout: 2 ** 31 }, { timeout: NaN }, { timeout: '5' }, { idleConnections: -1 }, { retryWindow: 0 }];
  says('settings that cannot be are refused', await throwsAll(
    RangeError, ...impossible.map((settings) => () => new Client(address, settings)),
    () => new Client('/' + 'a'.repeat(107)), () => new Client('\0mediatokend')));
  says('settings that are misspelt are refused', await throwsAll(
    TypeError, () => new Client(address, { timeOut: 5 }), () => new Client(), () => new Client(address, null)));
  says('an empty token is refused, and half a surrogate pair', await throwsAll(
    Refused, () => daemon.verify('', QUESTION), () => daemon.verify(new Uint8Array(0), QUESTION),
    () => daemon.verify('\ud800', QUESTION)));
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

/** Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor. */
async function verify(token, turn = 0) {
  return daemon.verify(token, QUESTION).catch((error) => {
    if (!(error instanceof kit.Fault) || error.action !== 'retry' || turn === 20) throw error;
    return verify(token, turn + 1);
  });
}

/** Many calls at once over one client: each has the answer to its own question. */
async function parallel() {
  const mine = tokens.splice(-400);
  const outcome = (token) => verify(token).then((valid) => valid.use, (error) => error.name);
  const outcomes = await Promise.all(mine.concat(mine).map(outcome));
  const counts = ['first', 'Refused'].map((name) => outcomes.filter((each) => each === name).length);
  says('400 tokens that are sent twice at once play once each', counts[0] === 400 && counts[1] === 400, counts);
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

/** What a server does while the program is busy. */
async function unheard() {
  const path = join(tmpdir(), `mediatoken-${process.pid}-early.sock`);
  const child = fork(new URL('early.mjs', import.meta.url), [path]);
  await new Promise((resolve) => child.once('message', resolve));
  const code = async (client) => (await thrown(() => client.verify('x', QUESTION))).code;
  const early = code(new Client(path, { timeout: 300_000 }));
  for (let turn = 0; turn < 20; turn += 1) await null;
  block(500);
  says('an answer that came before the question could be sent is read', (await early) === 'peer', await early);
  const pushed = new Client(`${path}.pushes`, { timeout: 300_000 });
  const codes = [await code(pushed), block(500), await code(pushed)];
  says('bytes that no one asked for are no answer', codes[0] === 'answer' && codes[2] === 'answer', codes);
  const ends = new Client(`${path}.ends`, { timeout: 300_000 });
  await Promise.all([code(ends), code(ends)]);
  // Between the look at idle connections and the use of one.
  setImmediate(() => setImmediate(() => block(500)));
  says('connections that ended before a question was sent cost nothing', (await code(ends)) === 'answer');
  child.disconnect();
  await new Promise((resolve) => child.once('exit', resolve));
}

await sealed();
await misuse();
await parallel();
await signals();
await unheard();
await gates({ daemon, tokens, says, thrown, throwsAll });
const errors = Object.keys(kit).filter((name) => kit[name].prototype instanceof NotValid).sort().join();
says('what is not valid is one of four errors', errors === 'Fault,ForeignAnswer,NoAnswer,Refused', errors);
says('a client with idle connections lets the program end', true);
