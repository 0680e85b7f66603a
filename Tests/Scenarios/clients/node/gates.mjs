/** What middleware does that no server of the scenario shows: a part of inside.mjs, which gives it what it needs. */
import { createServer, get } from 'node:http';

import { NoAnswer, ValidToken } from 'mediatoken';
import { express, fastify, http, validToken } from 'mediatoken/middleware';

export async function gates({ daemon, tokens, says, thrown, throwsAll }) {
  const raw = { method: 'GET', rawHeaders: ['x-media-token', 'nonsense'] };
  const request = { ...raw, raw };
  const written = [];
  const response = { writeHead: (status) => written.push(status), end() {} };
  const failing = { requestor: 'REF30', resource: () => { throw new Error('no such channel'); } };
  const warned = new Promise((resolve) => process.once('warning', resolve));
  let told = null;
  let plays = 0;
  const valid = await daemon.verify(tokens.pop(), { requestor: 'REF30', resource: 'TNT' });
  await express(daemon, failing)(request, response, (error) => { told = error; });
  says("Express is told of the application's own error", told?.message === 'no such channel' && written.length === 0);
  await express(daemon, failing)(request, response, () => { plays += 1; });
  await http(daemon, failing, () => { plays += 1; })(request, response);
  await http(daemon, { requestor: 'REF30', resource: () => undefined }, () => { plays += 1; })(request, response);
  says('what cannot be told of the application\'s own error does not play', plays === 0 && written.join() === '500,500,500'
    && (await warned).message === 'no such channel');
  let goes = 0;
  for (const nothing of [undefined, null, 0, '', 'route']) {
    const empty = { requestor: 'REF30', resource: () => Promise.reject(nothing) };
    await express(daemon, empty)(request, response, (error) => { if (!(error instanceof Error)) goes += 1; });
    if (!((await thrown(() => fastify(daemon, empty)(request, {}))) instanceof Error)) goes += 1;
  }
  says('what Express takes for no error is one', goes === 0, goes);
  const own = { status: 404 };
  await express(daemon, { requestor: 'REF30', resource: () => { throw own; } })(request, response, (error) => { told = error; });
  says('Express is told of an object as it is', told === own);
  says("Fastify's hook throws the application's own error", (await thrown(() => fastify(daemon, failing)(request, {})))?.message === 'no such channel');
  let seen = null;
  const listening = { verify: async (token) => { seen = token; throw new NoAnswer('no answer'); } };
  const latin = { method: 'GET', rawHeaders: ['X-MEDIA-TOKEN', 'caf\u00e9'] };
  await express(listening, { ...failing, resource: () => 'TNT' })(latin, response, null);
  says('the bytes of a header are as they came', Buffer.from('caf\u00e9', 'latin1').equals(seen) && written.at(-1) === 503);
  const forged = [{ verdict: 'VALID_TOKEN' }, Object.create(ValidToken.prototype), new Proxy(valid, {}), Promise];
  let asked = 0;
  const counting = { requestor: 'REF30', resource: () => { asked += 1; return 'TNT'; } };
  for (const method of ['head', 'get', 'PROPFIND', 'TRACK', 'QUERY', 'GETX', undefined]) {
    await http(daemon, counting, () => { plays += 1; })({ ...raw, method }, response);
  }
  says('a method that is not one of those that play asks nothing', asked === 0 && written.splice(4).every((status) => status === 405), asked);
  const outcomes = [undefined, null, false, true, 'valid', ...forged];
  for (const outcome of outcomes) {
    const standIn = { verify: async () => outcome };
    await http(standIn, { requestor: 'REF30', resource: () => 'TNT' }, () => { plays += 1; })(raw, response);
  }
  says('what verifies must say so with a valid token', plays === 0 && written.slice(-9).every((status) => status === 500)
    && written.length === 3 + 1 + outcomes.length, written);
  says('no request is let through without the middleware', await throwsAll(Error, () => validToken(request), () => validToken({})));
  says('middleware without what it needs is not made', await throwsAll(
    TypeError, () => express(daemon, {}), () => express(daemon, { requestor: 'REF30' }),
    () => express(daemon, { resource: () => 'TNT' }), () => express({}, failing),
    () => http(daemon, failing), () => fastify(daemon, { ...failing, headers: 'X' })));
  await answeredMeanwhile(daemon, tokens.splice(-2), says);
}

/** A server that answers by itself while the daemon is asked, as one does that has a time limit. */
async function answeredMeanwhile(daemon, mine, says) {
  const unhandled = [];
  const listen = (error) => unhandled.push(error);
  process.on('unhandledRejection', listen);
  let plays = 0;
  for (const kind of ['http', 'express']) {
    for (const token of [mine.pop(), 'nonsense']) {
      const options = { requestor: 'REF30', resource: (request) => { request.socket.emit('limit'); return 'TNT'; } };
      const play = (_, response) => { plays += 1; response.end(); };
      const handler = kind === 'http' ? http(daemon, options, play)
        : (request, response) => express(daemon, options)(request, response, () => play(request, response));
      const server = createServer((request, response) => {
        request.socket.once('limit', () => { response.writeHead(503); response.end(); });
        handler(request, response).then(() => server.emit('done'), (error) => { unhandled.push(error); server.emit('done'); });
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const done = new Promise((resolve) => server.once('done', resolve));
      const question = get({ port: server.address().port, host: '127.0.0.1', agent: false, headers: { 'X-Media-Token': token } });
      const answer = await new Promise((resolve) => question.once('response', resolve));
      answer.resume();
      await done;
      if (answer.statusCode !== 503) unhandled.push(answer.statusCode);
      await new Promise((resolve) => server.close(resolve));
    }
  }
  process.off('unhandledRejection', listen);
  says('a request that was answered meanwhile neither plays nor ends the program', plays === 0 && unhandled.length === 0,
    [plays, unhandled]);
}
