/** What four workers serve: server.mjs SOCKET DAEMON. Says who played, and in which worker. */
import cluster from 'node:cluster';
import { createServer } from 'node:http';

import { Client } from 'mediatoken';
import { express, validToken } from 'mediatoken/middleware';

const [socket, address] = process.argv.slice(2);
const middleware = express(new Client(address, { timeout: 300_000 }), { requestor: 'REF30', resource: (request) => request.url.slice(1) });

if (cluster.isPrimary) {
  for (let number = 0; number < 4; number += 1) cluster.fork();
} else {
  createServer((request, response) => middleware(request, response, (error) => {
    response.writeHead(error === undefined ? 200 : 500);
    response.end(error === undefined ? `${validToken(request).identity} ${process.pid}\n` : '');
  })).listen(socket);
}
