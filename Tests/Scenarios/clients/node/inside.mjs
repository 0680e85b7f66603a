/** Runs where the kit is installed: inside.mjs SOCKET < tokens. Prints a line for each thing that holds; what does not is an error. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';

import { Client, Refused, Unavailable, ValidToken } from 'mediatoken';
import { express, validToken } from 'mediatoken/middleware';
import { FakeClient } from 'mediatoken/testing';

const tokens = readFileSync(0, 'latin1').split('\n').filter((text) => text !== '');
const daemon = new Client(process.argv[2], { timeout: 300_000 });
const question = { requestor: 'REF30', resource: 'TNT' };
const says = (text, holds, found = '') => (holds ? console.log(text) : console.error(`not so: ${text}`, found));
const thrown = (call) => new Promise((resolve) => { resolve(call()); }).then(() => undefined, (error) => error);

/** What becomes of a request: "plays", a status, or what `next` is told. */
async function played(client, token, resource = () => 'TNT', headersSent = false) {
  let said = null;
  const request = { method: 'GET', rawHeaders: ['X-MEDIA-TOKEN', token] };
  const response = { headersSent, writeHead: (status) => { said = status; }, end() {} };
  await express(client, { requestor: 'REF30', resource })(request, response, (error) => { said = error ?? (validToken(request) && 'plays'); });
  return said;
}

const token = await daemon.verify(tokens.pop(), question);
const copies = [{ ...token }, structuredClone(token), Object.create(ValidToken.prototype), Object.assign(Object.create(ValidToken.prototype), { ...token })];
says('what is copied of a valid token is another thing, and what is printed has no account', copies.every((copy) => !(copy instanceof ValidToken)
  && !inspect(copy, { showHidden: true, customInspect: false }).includes(token.sessionGUID)) && token instanceof ValidToken, copies);
const misuses = await Promise.all([() => new ValidToken(), () => new token.constructor({}), () => { token.use = 'retry'; },
  () => daemon.verify('x'), () => daemon.verify('x', {}), () => daemon.verify(7, question)].map(thrown));
says('a valid token is neither made nor changed, and what is no question is not asked', misuses.every((error) => error instanceof TypeError), misuses);
const gone = await thrown(() => daemon.verify(tokens[0], { ...question, signal: AbortSignal.abort() }));
says('a signal that was given before asks nothing', gone instanceof Unavailable && (await daemon.verify(tokens[0], question)).use === 'first', gone);
const fake = new FakeClient();
const name = fake.valid({ mvpdId: 'Other' });
says("a fake's token plays once, and says what it was made to say", (await fake.verify(name, question)).mvpdId === 'Other'
  && (await thrown(() => fake.verify(name, question))) instanceof Refused);
const answers = await Promise.all([fake.valid(), fake.refused('TOKEN_EXPIRED', 'expired'), fake.unavailable('X'), 'x', ''].map((each) => played(fake, each)));
says('the middleware takes a fake', answers.join() === 'plays,403,503,403,401', answers);
const others = await Promise.all([...[undefined, null, 0, '', 'route'].map((error) => played(fake, 'x', () => Promise.reject(error))),
  ...[null, true, { verdict: 'VALID_TOKEN' }, ...copies].map((outcome) => played({ verify: async () => outcome }, 'x'))]);
says('nothing but a valid token plays', others.every((error) => error instanceof Error), others);
says('a request that was answered meanwhile does not play', (await played(fake, fake.valid(), () => 'TNT', true)) === null);
