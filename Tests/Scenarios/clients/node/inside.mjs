/** Runs where the kit is installed: inside.mjs SOCKET < tokens. Prints a line for each thing that holds; what does not is an error. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';

import { Client, Unavailable, ValidToken } from 'mediatoken';
import { express } from 'mediatoken/middleware';
import { FakeClient } from 'mediatoken/testing';

const [text, other] = readFileSync(0, 'latin1').split('\n');
const daemon = new Client(process.argv[2], { timeout: 300_000 });
const question = { requestor: 'REF30', resource: 'TNT' };
const says = (what, holds, found = '') => (holds ? console.log(what) : console.error(`not so: ${what}`, found));
const thrown = (call) => new Promise((resolve) => { resolve(call()); }).then(() => undefined, (error) => error);

/** What the middleware tells `next`, or "plays"; undefined if that is not called. */
const next = (client, resource = () => 'TNT', headersSent = false) => new Promise((resolve) => {
  const request = { method: 'GET', rawHeaders: ['X-MEDIA-TOKEN', 'x'] };
  express(client, { requestor: 'REF30', resource })(request, { headersSent, writeHead() {}, end() {} }, (error = 'plays') => resolve(error))
    .then(() => resolve());
});

const token = await daemon.verify(text, question);
const copies = [{ ...token }, structuredClone(token), Object.create(ValidToken.prototype), Object.assign(Object.create(ValidToken.prototype), { ...token })];
says('what is copied of a valid token is another thing, and what is printed has no account', copies.every((copy) => !(copy instanceof ValidToken)
  && !inspect(copy, { showHidden: true, customInspect: false }).includes(token.sessionGUID)) && token instanceof ValidToken, copies);
const misuses = await Promise.all([() => new ValidToken(), () => new token.constructor({}), () => { token.use = 'retry'; },
  () => daemon.verify('x'), () => daemon.verify('x', {}), () => daemon.verify(7, question)].map(thrown));
says('a valid token is neither made nor changed, and what is no question is not asked', misuses.every((error) => error instanceof TypeError), misuses);
const gone = await thrown(() => daemon.verify(other, { ...question, signal: AbortSignal.abort() }));
says('a signal that was given before asks nothing', gone instanceof Unavailable && (await daemon.verify(other, question)).use === 'first', gone);
const others = await Promise.all([...[undefined, null, 0, '', 'route'].map((error) => next(new FakeClient(), () => Promise.reject(error))),
  ...[null, true, { verdict: 'VALID_TOKEN' }, ...copies].map((outcome) => next({ verify: async () => outcome }))]);
says('nothing but a valid token plays', others.every((error) => error instanceof Error), others);
says('a request that was answered meanwhile does not play', (await next({ verify: async () => token }, undefined, true)) === undefined);
