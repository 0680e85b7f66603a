/** Runs where the kit is installed: inside.mjs SOCKET < tokens. Prints a line for each thing that holds, or fails. */
import { fork } from 'node:child_process';
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

import * as kit from 'mediatoken';

import { gates } from './gates.mjs';
import { verify } from './patient.mjs';

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
  says('and is made by a client alone', await throwsAll(
    TypeError, () => new ValidToken(), () => new ValidToken(Symbol('mediatoken.seal'), {}),
    () => new (class extends ValidToken {})(), () => Reflect.construct(Object, [], ValidToken).use, () => ValidToken(),
    () => new token.constructor()));
  const hidden = await thrown(() => import('mediatoken/lib/tokens.js'));
  says('what makes one is not exported', hidden?.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  const forged = Object.create(ValidToken.prototype);
  const copies = [forged, { ...token }, structuredClone(token), JSON.parse(JSON.stringify(token)), deserialize(serialize(token)),
    Object.assign(Object.create(ValidToken.prototype), token), new Proxy(token, {})];
  says('what is copied or shaped like one is not', copies.every((copy) => !(copy instanceof ValidToken)), copies);
  says('nor has its members', await throwsAll(
    TypeError, () => forged.use, () => forged.sessionGUID, () => new Proxy(token, {}).use));
  says('nor is one changed', await throwsAll(
    TypeError, () => { token.use = 'retry'; }, () => { token.mine = 1; }, () => { ValidToken.prototype.mine = 1; },
    () => Object.defineProperty(token, 'use', { value: 'retry' }),
    () => Object.defineProperty(ValidToken.prototype, 'use', { value: 'x' }),
    () => Object.setPrototypeOf(token, {}), () => { ValidToken.mine = 1; }, () => token.unknownFields.push('x')));
  token.expiresAt.setTime(0);
  says('nor are its times', token.expiresAt.getTime() > Date.now());
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
  says('the account is known', guid.length >= 8 && refused.detail.length > 20, refused.detail);
  const wrong = printed.filter((text) => text.includes(guid) || text.includes(refused.detail));
  says('and no text has it, or a detail', printed.length > 50 && wrong.length === 0, wrong);
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
  says('nor are there names of nothing', await throwsAll(
    RangeError, () => daemon.verify('x', { ...QUESTION, requestor: '' }),
    () => daemon.verify('x', { ...QUESTION, requestor: '\ud800' }), () => new kit.Document(''), () => new kit.Channel('')));
  const impossible = [{ timeout: 2 ** 31 }, { timeout: NaN }, { timeout: '5' }, { idleConnections: -1 }, { retryWindow: 0 }];
  says('settings that cannot be are refused', await throwsAll(
    RangeError, ...impossible.map((settings) => () => new Client(address, settings)),
    () => new Client('/' + 'a'.repeat(107)), () => new Client('\0mediatokend')));
  says('and names that are misspelt', await throwsAll(
    TypeError, () => new Client(address, { timeOut: 5 }), () => new Client(), () => new Client(address, null)));
  says('an empty token is refused, and half a surrogate pair', await throwsAll(
    Refused, () => daemon.verify('', QUESTION), () => daemon.verify(new Uint8Array(0), QUESTION),
    () => daemon.verify('\ud800', QUESTION)));
  Object.prototype.error = 'late';
  const polluted = await thrown(() => daemon.verify('nonsense', QUESTION));
  delete Object.prototype.error;
  says('a prototype that other code changed says nothing', polluted instanceof Refused);
  await elsewhere();
  await deep();
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
  says('nor where to connect to', misled instanceof NoAnswer && asked === 0 && retries instanceof RangeError,
    [misled, asked, retries]);
}

/** The platform's reader would make an object of each level, and some decisions come from viewers. */
async function deep() {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text, ...rest) => { longest = Math.max(longest, text.length); return parse(text, ...rest); };
  const nested = '{"a":' + '['.repeat(100_000);
  const codes = [];
  for (const text of [nested + ']'.repeat(100_000) + '}', nested, '{"a":"', '{"a":"\\', ',"a"', ']"a"', '{"\\x":1}']) {
    codes.push((await thrown(() => daemon.verifyDecision(text, QUESTION)))?.code);
  }
  JSON.parse = parse;
  says('levels are counted before objects are made of them', longest < 100_000 && codes.every((code) => code === 'bad-decision'),
    [longest, codes]);
}

/** Many calls at once over one client: each has the answer to its own question. */
async function parallel() {
  const mine = tokens.splice(-400);
  const outcome = (token) => verify(daemon, token, QUESTION).then((valid) => valid.use, (error) => error.name);
  const outcomes = await Promise.all(mine.concat(mine).map(outcome));
  const counts = ['first', 'Refused'].map((name) => outcomes.filter((each) => each === name).length);
  says('400 tokens that are sent twice at once play once each', counts[0] === 400 && counts[1] === 400, counts);
}

async function deadlines() {
  const path = join(tmpdir(), `mediatoken-${process.pid}.sock`);
  const heard = [];
  const server = createServer((connection) => { heard.push(connection); connection.on('error', () => {}).resume(); }).listen(path);
  const silent = new Client(path, { timeout: 300_000 });
  const gone = await thrown(() => silent.verify('x', { ...QUESTION, signal: AbortSignal.abort() }));
  says('a signal that was given before asks nothing', gone instanceof NoAnswer && gone.action === 'retry' && heard.length === 0);
  const abort = new AbortController();
  server.once('connection', () => abort.abort(new Error('secret')));
  const ended = await thrown(() => silent.verify('x', { ...QUESTION, signal: abort.signal }));
  says('one that comes ends the wait', ended instanceof NoAnswer && !inspect(ended, { showHidden: true }).includes('secret'), ended);
  const late = await thrown(() => new Client(path, { timeout: 300 }).checkReady());
  says('and so does the deadline', late instanceof NoAnswer);
  const busy = thrown(() => new Client(path, { timeout: 50 }).checkReady());
  block(200);
  says('also of a program that was busy past it', (await busy) instanceof NoAnswer);
  for (const connection of heard) connection.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** The program does nothing else meanwhile, so that it hears of nothing. */
const block = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/**
 * A server in another process answers and closes before the question is written: what it said is read. Another one says more than it
 * was asked for while the program is busy: that is no answer to the next question.
 */
async function refusedEarly() {
  const path = join(tmpdir(), `mediatoken-${process.pid}-early.sock`);
  const child = fork(new URL('early.mjs', import.meta.url), [path]);
  const message = () => new Promise((resolve) => child.once('message', resolve));
  await message();
  const outcomes = [];
  for (const length of [1, 3_000_000]) {
    const call = thrown(() => new Client(path, { timeout: 300_000 }).verify('x'.repeat(length), QUESTION));
    for (let turn = 0; turn < 20; turn += 1) await null;
    // The connection is made, and this program does not hear of it for a while.
    block(300);
    outcomes.push(await call);
  }
  says('an answer that came before the question could be sent is read',
    outcomes.every((error) => error instanceof kit.Fault && error.code === 'peer' && error.status === 403), outcomes);
  const pushed = new Client(`${path}.pushes`, { timeout: 300_000 });
  const codes = [(await thrown(() => pushed.verify('x', QUESTION))).code];
  // Not before: a program that read late would find both answers at once.
  writeFileSync(`${path}.push`, '');
  while (!existsSync(`${path}.pushed`)) block(10);
  unlinkSync(`${path}.pushed`);
  codes.push((await thrown(() => pushed.verify('x', QUESTION))).code);
  says('bytes that no one asked for are no answer', codes.join() === 'answer-1,answer-2', codes);
  await lateLooks(path);
  child.disconnect();
  await new Promise((resolve) => child.once('exit', resolve));
}

/** The program is busy between a look at an idle connection and the use of it. */
async function lateLooks(path) {
  const ends = new Client(`${path}.ends`, { timeout: 300_000 });
  const codes = [(await thrown(() => ends.verify('x', QUESTION))).code];
  setImmediate(() => setImmediate(() => {
    writeFileSync(`${path}.end`, '');
    while (!existsSync(`${path}.ended`)) block(10);
  }));
  codes.push((await thrown(() => ends.verify('x', QUESTION)))?.code);
  says('a connection that ended before a byte was sent costs nothing', codes.join() === 'answer-3,answer-4', codes);
  const hasty = new Client(`${path}.pushes`, { timeout: 300_000 });
  codes.push((await thrown(() => hasty.verify('x', QUESTION))).code);
  const now = performance.now.bind(performance);
  setImmediate(() => setImmediate(() => { performance.now = () => now() + 300_001; }));
  const late = await thrown(() => hasty.verify('x', QUESTION));
  performance.now = now;
  codes.push((await thrown(() => new Client(`${path}.pushes`, { timeout: 300_000 }).verify('x', QUESTION))).code);
  says('nothing is sent after the deadline', late instanceof NoAnswer && codes.slice(2).join() === 'answer-5,answer-6', [late, codes]);
  const own = [];
  const server = createServer((connection) => {
    own.push(connection);
    const ready = 'HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n{"status":"ready"}';
    connection.on('data', () => connection.write(ready));
  }).listen(`${path}.own`);
  const patient = new Client(`${path}.own`, { timeout: 300_000 });
  await patient.checkReady();
  await patient.checkReady();
  const before = own.length;
  performance.now = () => now() + 30_001;
  await patient.checkReady();
  performance.now = now;
  says('a connection that was idle for 30 s is not used again', before === 1 && own.length === 2, [before, own.length]);
  patient.close();
  await new Promise((resolve) => server.close(resolve));
}

/** A thread of its own has its own connections. */
async function workers() {
  const said = await Promise.all([1, 2, 3, 4].map(() => new Promise((resolve, reject) => {
    const worker = new Worker(new URL('thread.mjs', import.meta.url), { workerData: { address, tokens: tokens.splice(-25) } });
    worker.once('message', resolve).once('error', reject);
  })));
  says('four threads verify at once', said.every(({ uses }) => uses.length === 25 && uses.every((use) => use === 'first')));
  const sent = said.map(({ token }) => token);
  says('and what one sends to another is no valid token', sent.every((token) => !(token instanceof ValidToken) && !token.use));
}

await sealed();
await misuse();
await parallel();
await deadlines();
await refusedEarly();
await workers();
await gates({ daemon, tokens, says, thrown, throwsAll });
const errors = Object.keys(kit).filter((name) => kit[name].prototype instanceof NotValid).sort().join();
says('what is not valid is one of four errors', errors === 'Fault,ForeignAnswer,NoAnswer,Refused', errors);
says('a client with idle connections lets the program end', true);
