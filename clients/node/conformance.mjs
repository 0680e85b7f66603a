/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

import { CONFIGURED, Channel, Client, Document, NotValid } from 'mediatoken';
import { FakeClient } from 'mediatoken/testing';

const MEMBERS = ['identity', 'requestorID', 'resourceID', 'mvpdId', 'sessionGUID', 'keyFingerprint', 'use', 'requestID', 'ttlMilliseconds',
  'issueTime', 'expiresAt', 'unknownFields', 'proxyMvpdId', 'viewerTag', 'handover', 'verdict', 'reason', 'detail', 'action', 'adobeCode',
  'status', 'retryAfter'];

/** What came of one question, and how long it took. */
async function asked(ask, text) {
  const start = process.hrtime.bigint();
  let said = null;
  try {
    said = await ask(text);
  } catch (error) {
    if (!(error instanceof NotValid || error instanceof TypeError || error instanceof RangeError)) throw error;
    said = error;
  }
  const nanoseconds = Number(process.hrtime.bigint() - start);
  const shown = [String(said), said.stack, inspect(said), inspect(said, { depth: null, customInspect: false }), JSON.stringify(said)];
  const members = Object.fromEntries(MEMBERS.map((name) => [name, said[name]]));
  return { outcome: said.constructor.name, nanoseconds, text: shown.join(' '), members: { ...members, name: said.code } };
}

let client = new FakeClient();
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  const answer = {};
  if (line.do === 'open') {
    const { address, timeoutMilliseconds: timeout, requestIDHeader, connections } = line;
    client = new Client(address, { timeout, requestIDHeader, connections });
    answer.text = inspect(client, { showHidden: true });
  } else if (line.do === 'double') {
    answer.texts = [client.valid(), client.refused('TOKEN_EXPIRED', 'too-old'), client.unavailable('OUT_OF_MEMORY')];
  } else {
    let resource = line.resource ?? CONFIGURED;
    if (line.resourceDocument !== undefined) resource = new Document(line.resourceDocument);
    if (line.resourceChannel !== undefined) resource = new Channel(line.resourceChannel);
    const question = { requestor: line.requestor ?? CONFIGURED, resource, requestID: line.requestID };
    const call = (bytes) => client[line.do](bytes, question);
    const texts = line.texts.map((base64) => Buffer.from(base64, 'base64')).entries();
    answer.answers = [];
    const worker = async () => { for (const [index, text] of texts) answer.answers[index] = await asked(call, text); };
    await Promise.all(Array.from({ length: line.atOnce ?? 1 }, worker));
  }
  console.log(JSON.stringify(answer));
}
