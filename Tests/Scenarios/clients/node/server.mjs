/** What the scenario serves: server.mjs SOCKET DAEMON KIND [WORKERS]. Says who played, and in which worker. */
import cluster from 'node:cluster';
import { createServer } from 'node:http';

import { Client } from 'mediatoken';
import { express, fastify, http, validToken } from 'mediatoken/middleware';

const [socket, address, kind, workers = '0'] = process.argv.slice(2);
const daemon = new Client(address, { timeout: 300_000 });
const channel = (request) => request.url.slice(1);
const options = { requestor: 'REF30', resource: channel };

function play(request, response) {
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.end(`${validToken(request).identity} ${process.pid}\n`);
}

/** Express's and Connect's way to call one handler after another. */
function chained() {
  const middleware = express(daemon, options);
  return (request, response) => middleware(request, response, (error) => {
    if (error === undefined) return play(request, response);
    response.writeHead(500);
    return response.end();
  });
}

/** Fastify's way to call a hook: a request and a reply of its own, and a reply that was sent ends it. */
function hooked() {
  const hook = fastify(daemon, { requestor: 'REF30', resource: (request) => channel(request.raw) });
  return async (raw, response) => {
    const request = { raw };
    const reply = {
      isSent: false,
      code(status) { response.statusCode = status; return reply; },
      headers(fields) { for (const [name, value] of Object.entries(fields)) response.setHeader(name, value); return reply; },
      send(body) { reply.isSent = true; response.end(body); return reply; },
    };
    await hook(request, reply);
    if (reply.isSent) return;
    response.writeHead(200);
    response.end(`${validToken(request).identity} ${process.pid}\n`);
  };
}

if (Number(workers) > 0 && cluster.isPrimary) {
  // The primary has asked, and has an open connection, before it starts its workers.
  await daemon.checkReady();
  for (let number = 0; number < Number(workers); number += 1) cluster.fork();
  process.on('SIGTERM', () => cluster.disconnect(() => process.exit(0)));
} else {
  const handler = { http: () => http(daemon, options, play), express: chained, fastify: hooked }[kind]();
  const server = createServer(handler).listen(socket);
  process.on('SIGTERM', () => {
    server.close();
    server.closeAllConnections?.();
    daemon.close();
    if (cluster.isWorker) cluster.worker.disconnect();
  });
}
