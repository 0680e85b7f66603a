/** Lets requests that start playback through to the application, with a valid token. middleware.d.ts says how to use it. */
import { Refused, Unavailable, ValidToken } from './client.js';

/** Methods that may start playback, byte for byte. No token is used up for another. */
const PLAYS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const letThrough = new WeakMap();

export function validToken(request) {
  if (!letThrough.has(request)) throw new Error('this request was not let through; put the middleware before what asks for its token');
  return letThrough.get(request);
}

export function express(client, { requestor, resource, header = 'X-Media-Token' }) {
  return async (request, response, next) => {
    try {
      const answer = await decide(client, requestor, resource, header.toLowerCase(), request);
      // A server that has a time limit may have answered meanwhile: nothing plays then.
      if (response.headersSent || response.writableEnded) return;
      if (answer === null) return void next();
      const [status, members, fields] = answer;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...fields });
      response.end(JSON.stringify(members));
    } catch (error) {
      // By next() of what is false, and of words such as `route`, the application would play.
      next(error instanceof Error ? error : new Error('what names the resource threw no Error'));
    }
  };
}

/** null lets a request through; all else is the answer to the viewer. */
async function decide(client, requestor, resource, header, request) {
  if (!PLAYS.includes(request.method)) return [405, { error: 'method-not-allowed', action: 'report' }, { Allow: PLAYS.join(', ') }];
  // `headers` has those that come twice as one.
  const tokens = request.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1].toLowerCase() === header);
  if (tokens.every((token) => token === '')) return [401, { error: 'no-token', action: 'new-token' }, { 'WWW-Authenticate': 'MediaToken' }];
  if (tokens.length > 1) return [403, { error: 'ambiguous', action: 'new-token' }];
  try {
    // A character of a header is a byte.
    const token = await client.verify(Buffer.from(tokens[0], 'latin1'), { requestor, resource: await resource(request) });
    if (!(token instanceof ValidToken)) throw new TypeError('expected verify to resolve with a ValidToken');
    letThrough.set(request, token);
    return null;
  } catch (problem) {
    const { verdict, reason, action, adobeCode, code, retryAfter } = problem ?? {};
    if (problem instanceof Refused) return [403, { verdict: verdict ?? '', reason, action, adobeCode }];
    if (problem instanceof Unavailable) return [503, { fault: code, action }, retryAfter === undefined ? {} : { 'Retry-After': `${retryAfter}` }];
    throw problem;
  }
}
