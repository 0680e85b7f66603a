/** What lets requests that start playback through to the application, with a valid token. middleware.d.ts says how to use it. */
import { Fault, NoAnswer, NotValid, Refused } from './errors.js';
import { ValidToken } from './tokens.js';

/** Methods that may start playback, byte for byte. No token is used up for another. */
const PLAYS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;

/** The tokens of requests that were let through; kept apart from them, so that nothing else can put one there. */
const letThrough = new WeakMap();

export function validToken(request) {
  const token = letThrough.get(request);
  if (token === undefined) throw new Error('this request was not let through; put the middleware before what asks for its token');
  return token;
}

/** For Express and Connect. */
export function express(client, options) {
  const decide = gate(client, options);
  // What takes no error would be the application itself, and play.
  return (request, response, next) => lead(decide, request, response, () => next(), next?.length > 0 ? next : broken);
}

/** For a server of node:http, whose handler this is. */
export function http(client, options, application) {
  if (typeof application !== 'function') throw new TypeError('expected as application a function of a request and a response');
  const decide = gate(client, options);
  return (request, response) => lead(decide, request, response, () => application(request, response), broken);
}

async function lead(decide, request, response, play, fail) {
  let answer;
  try {
    answer = await decide(request, request);
  } catch (error) {
    answer = fail(error);
    if (fail !== broken) return answer;
  }
  // A server that has a time limit may have answered meanwhile: nothing may be written then.
  if (response.headersSent || response.writableEnded) return undefined;
  if (answer === null) return play();
  response.writeHead(answer.status, answer.fields);
  return response.end(answer.body);
}

/** For Fastify, as a hook `preHandler`, whose error handler has what the application's function throws. */
export function fastify(client, options) {
  const decide = gate(client, options);
  return async (request, reply) => {
    const answer = await decide(request.raw, request);
    if (answer === null) return undefined;
    // A reply that is returned by a hook ends the request there. Bytes, as it would write a text as JSON again.
    return reply.code(answer.status).headers(answer.fields).send(answer.body);
  };
}

/** Decides about requests: null lets one through, and all else is the answer to the viewer. */
function gate(client, options) {
  if (typeof client?.verify !== 'function') throw new TypeError('expected a Client');
  const { requestor, resource, header = 'X-Media-Token', ...others } = options;
  const unknown = Object.keys(others).join(', ');
  if (unknown !== '') throw new TypeError(`unknown names: ${unknown}; it takes requestor, resource, header`);
  if (requestor === undefined) throw new TypeError("expected a requestor; CONFIGURED is the daemon's own");
  if (typeof resource !== 'function') throw new TypeError('expected as resource a function that says what a request would play');
  if (typeof header !== 'string' || !HEADER.test(header)) throw new RangeError('expected as header the name of a header');
  const name = header.toLowerCase();
  return async (message, request) => {
    if (!PLAYS.includes(message.method)) {
      return answer(405, { error: 'method-not-allowed', action: 'report' }, { Allow: PLAYS.join(', ') });
    }
    const tokens = values(message.rawHeaders, name);
    if (!tokens.some((token) => token !== '')) {
      return answer(401, { error: 'no-token', action: 'new-token' }, { 'WWW-Authenticate': 'MediaToken' });
    }
    if (tokens.length > 1) return answer(403, { error: 'ambiguous', action: 'new-token' });
    try {
      // A character of a header is a byte.
      const token = Buffer.from(tokens[0], 'latin1');
      const valid = await client.verify(token, { requestor, resource: await resource(request) });
      if (!(valid instanceof ValidToken)) throw new TypeError("expected verify to resolve with a ValidToken, a Client's");
      letThrough.set(request, valid);
      return null;
    } catch (problem) {
      return refusal(problem);
    }
  };
}

/** The headers of a name: `headers` has those that come twice as one. */
const values = (rawHeaders, name) => rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1].toLowerCase() === name);

function refusal(problem) {
  if (problem instanceof Refused) {
    const { verdict, reason, action, adobeCode } = problem;
    return answer(403, { verdict: verdict ?? '', reason, action, adobeCode });
  }
  if (problem instanceof Fault) {
    const after = problem.retryAfter === undefined ? {} : { 'Retry-After': String(problem.retryAfter) };
    return answer(503, { fault: problem.code, action: problem.action }, after);
  }
  if (!(problem instanceof NotValid)) throw errorOf(problem);
  return answer(503, { fault: problem instanceof NoAnswer ? 'NO_ANSWER' : 'FOREIGN_ANSWER', action: problem.action });
}

/** Express and Connect take what is false, and words such as `route`, for no error, and go on. */
function errorOf(problem) {
  return typeof problem === 'object' && problem !== null ? problem : new Error('what names the resource threw no Error');
}

function answer(status, members, fields = {}) {
  const body = Buffer.from(JSON.stringify(members));
  return {
    status, body,
    fields: { 'Content-Type': 'application/json', 'Content-Length': String(body.length), 'Cache-Control': 'no-store', ...fields },
  };
}

/** The application's function failed, or named nothing to play: there is no one to throw it to. */
function broken(error) {
  process.emitWarning(error instanceof Error ? error : new Error('what names the resource threw no Error'));
  return answer(500, { error: 'internal', action: 'report' });
}
