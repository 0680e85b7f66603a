/** For the tests of an application: a daemon that says about each token what the token was made to say. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const MARK = '<signatureInfo>fake</signatureInfo>';
const made = (status, members) => `${MARK}${status} ${randomBytes(16).toString('hex')} ${JSON.stringify(members)}`;

export class FakeDaemon {
  #used = new Set();
  #server;

  static async start({ requestIDHeader = '' } = {}) {
    const fake = new FakeDaemon();
    fake.#server = createServer(async (request, response) => {
      const form = Object.fromEntries(new URLSearchParams(await text(request)));
      const [status, members] = request.method === 'GET' ? [200, { status: 'ready' }] : fake.#said(form);
      const body = JSON.stringify({ requestID: request.headers[requestIDHeader.toLowerCase()] ?? 'fake', ...members });
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
    });
    await once(fake.#server.listen(0, '127.0.0.1'), 'listening');
    fake.address = `http://127.0.0.1:${fake.#server.address().port}`;
    return fake;
  }

  static valid(members = {}) {
    return made(200, {
      verdict: 'VALID_TOKEN', number: 0, mvpdId: 'Sample_MVPD', sessionGUID: 'fake', issueTime: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-01T01:00:00.000Z', ttlMilliseconds: 3_600_000, keyFingerprint: '0'.repeat(64), unknownFields: [],
      use: 'first', action: 'none', adobeCode: 'VALID_TOKEN', ...members,
    });
  }

  static refused(verdict, reason, action = 'new-token') {
    return made(403, { verdict, number: 1, reason, detail: 'a fake', action, adobeCode: 'ERROR_UNKNOWN' });
  }

  static fault(fault, action = 'retry') {
    return made(503, { fault, number: 64, detail: 'a fake', action });
  }

  async close() {
    this.#server.close();
    this.#server.closeIdleConnections?.();
  }

  #said({ token = '', requestor = 'FAKE', resource = 'fake' }) {
    const isOurs = token.startsWith(MARK);
    const said = !isOurs ? FakeDaemon.refused('INVALID_TOKEN_FORMAT', 'unknown-form')
      : this.#used.has(token) ? FakeDaemon.refused('TOKEN_REPLAYED', 'already-used') : token;
    const status = Number(said.slice(MARK.length, MARK.length + 3));
    if (status === 200) this.#used.add(token);
    return [status, {
      ...(isOurs && { identity: createHash('sha256').update(token.slice(MARK.length)).digest('hex') }),
      ...(status === 200 && { requestorID: requestor, resourceID: resource }),
      ...JSON.parse(said.slice(said.indexOf('{'))),
    }];
  }
}
