/** A thread that asks about its own tokens, and sends what came of them, and one of the valid tokens. */
import { parentPort, workerData } from 'node:worker_threads';

import { Client } from 'mediatoken';

import { verify } from './patient.mjs';

const daemon = new Client(workerData.address, { timeout: 300_000 });
const question = { requestor: 'REF30', resource: 'TNT' };
const tokens = await Promise.all(workerData.tokens.map((token) => verify(daemon, token, question)));
parentPort.postMessage({ uses: tokens.map((token) => token.use), token: tokens[0] });
