/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

import { CONFIGURED, Channel, Client, Document, Refused, Unavailable } from 'mediatoken';

const MEMBERS = {
  valid: ['identity', 'requestorID', 'resourceID', 'mvpdId', 'sessionGUID', 'keyFingerprint', 'use', 'requestID', 'ttlMilliseconds',
    'issueTime', 'expiresAt', 'unknownFields', 'proxyMvpdId', 'viewerTag', 'handover'],
  refused: ['verdict', 'reason', 'detail', 'action', 'adobeCode', 'requestID'],
  unavailable: ['status', 'detail', 'action', 'retryAfter', 'requestID'],
  misuse: [],
};

/** What came of one question, and how long it took. */
async function asked(ask, text) {
  const start = process.hrtime.bigint();
  let [said, outcome] = [null, 'valid'];
  try {
    said = await ask(text);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unavailable || error instanceof TypeError || error instanceof RangeError)) throw error;
    [said, outcome] = [error, error instanceof Refused ? 'refused' : error instanceof Unavailable ? 'unavailable' : 'misuse'];
  }
  const nanoseconds = Number(process.hrtime.bigint() - start);
  const shown = [String(said), said.stack, inspect(said), inspect(said, { depth: null, customInspect: false }), JSON.stringify(said)];
  const members = Object.fromEntries(MEMBERS[outcome].map((name) => [name, said[name] instanceof Date ? said[name].getTime() : said[name]]));
  return { outcome, nanoseconds, text: shown.join(' '), ...members, ...(outcome === 'unavailable' ? { name: said.code } : {}) };
}

let client = null;
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  if (line.do === 'open') {
    const { address, timeoutMilliseconds: timeout, requestIDHeader, connections } = line;
    client = new Client(address, { timeout, requestIDHeader, connections });
    console.log(JSON.stringify({ text: inspect(client, { showHidden: true }) }));
  } else if (line.processes) {
    console.log(JSON.stringify({ unable: 'fork' }));
  } else {
    let resource = line.resource ?? CONFIGURED;
    if (line.resourceDocument !== undefined) resource = new Document(line.resourceDocument);
    if (line.resourceChannel !== undefined) resource = new Channel(line.resourceChannel);
    const question = { requestor: line.requestor ?? CONFIGURED, resource, requestID: line.requestID };
    const call = (bytes) => client[line.do](bytes, question);
    const texts = line.texts.map((base64) => Buffer.from(base64, 'base64'));
    const answers = texts.map(() => null);
    let next = 0;
    const worker = async () => { for (let index = next++; index < texts.length; index = next++) answers[index] = await asked(call, texts[index]); };
    await Promise.all(Array.from({ length: line.atOnce ?? 1 }, worker));
    console.log(JSON.stringify({ answers }));
  }
}
