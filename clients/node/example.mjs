/** Says whether a token may play: node example.mjs SOCKET REQUESTOR RESOURCE < token */
import { text } from 'node:stream/consumers';

import { Client, NotValid } from 'mediatoken';

const [address, requestor, resource] = process.argv.slice(2);
const daemon = new Client(address);
const token = await daemon.verify(await text(process.stdin), { requestor, resource }).catch((problem) => {
  if (!(problem instanceof NotValid)) throw problem;
  console.error(`do not play: ${problem.message}; then ${problem.action}`);
  process.exit(1);
});
console.log(`play ${token.resourceID} until ${token.expiresAt.toISOString()}`);
