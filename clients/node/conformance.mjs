/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

import { CONFIGURED, Channel, Client, Document, Fault, ForeignAnswer, NoAnswer, NotReady, NotValid, Refused } from 'mediatoken';

/** Everything that a log would get of it. */
const texts = (value) => [
  String(value), value?.stack, inspect(value), inspect(value, { showHidden: true, depth: null }),
  inspect(value, { customInspect: false }), JSON.stringify(value),
].join(' ');

function question(line) {
  let resource = line.resource ?? CONFIGURED;
  if (line.resourceDocument !== undefined) resource = new Document(line.resourceDocument);
  if (line.resourceChannel !== undefined) resource = new Channel(line.resourceChannel);
  return { requestor: line.requestor ?? CONFIGURED, resource };
}

const bytes = (base64) => Buffer.from(base64, 'base64');
const withID = (line) => ({ ...question(line), ...('requestID' in line ? { requestID: line.requestID } : {}) });

function valid(token) {
  const { identity, use, requestID, requestorID, resourceID, mvpdId, sessionGUID, ttlMilliseconds, keyFingerprint } = token;
  const { unknownFields, proxyMvpdId, viewerTag, handover } = token;
  return {
    outcome: 'valid', identity, use, requestID, requestorID, resourceID, mvpdId, sessionGUID, ttlMilliseconds, keyFingerprint,
    unknownFields, proxyMvpdId, viewerTag, handover, issueTime: token.issueTime.getTime(), expiresAt: token.expiresAt.getTime(),
    text: texts(token),
  };
}

function failed(error) {
  const { verdict, reason, detail, action, adobeCode, identity, requestID, decisionError, status, retryAfter } = error;
  const said = { action, text: texts(error) };
  if (error instanceof Refused) {
    return { ...said, outcome: 'refused', verdict, reason, detail, adobeCode, identity, requestID, decisionError };
  }
  if (error instanceof Fault) return { ...said, outcome: 'fault', name: error.code, status, retryAfter };
  if (error instanceof NotReady) return { ...said, outcome: 'not-ready', reason, retryAfter };
  if (error instanceof NoAnswer) return { ...said, outcome: 'no-answer' };
  if (error instanceof ForeignAnswer) return { ...said, outcome: 'foreign' };
  return { ...said, outcome: 'misuse' };
}

/** How long each call took, in nanoseconds. A token that is not valid ends it. */
async function measured(client, { tokens, requestor, resource }) {
  const nanoseconds = [];
  for (const token of tokens.map(bytes)) {
    const start = process.hrtime.bigint();
    await client.verify(token, { requestor, resource });
    nanoseconds.push(Number(process.hrtime.bigint() - start));
  }
  return { outcome: 'measured', nanoseconds, text: '' };
}

/** What came of each of many calls at once. */
async function atOnce(client, { tokens, requestor, resource }) {
  const ask = (token) => client.verify(bytes(token), { requestor, resource }).then(() => 'valid', (error) => failed(error).outcome);
  return { outcome: 'at-once', outcomes: await Promise.all(tokens.map(ask)), text: '' };
}

let client = null;

const doing = {
  open({ address, timeoutMilliseconds: timeout, requestIDHeader, retryWindowMilliseconds: retryWindow, ...numbers }) {
    const { idleConnections, connections } = numbers;
    client = new Client(address, { timeout, requestIDHeader, retryWindow, idleConnections, connections });
    return { outcome: 'opened', text: texts(client) };
  },
  atOnce: (line) => atOnce(client, line),
  verify: async (line) => valid(await client.verify(bytes(line.token), withID(line))),
  verifyDecision: async (line) => valid(await client.verifyDecision(bytes(line.decision), withID(line))),
  async ready() {
    await client.checkReady();
    return { outcome: 'ready', text: '' };
  },
  measure: (line) => measured(client, line),
};

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  let said;
  try {
    said = await doing[line.do](line);
  } catch (error) {
    const isMisuse = error instanceof TypeError || error instanceof RangeError;
    if (!(isMisuse || error instanceof NotValid || error instanceof NotReady)) throw error;
    said = failed(error);
  }
  process.stdout.write(JSON.stringify(said) + '\n');
}
