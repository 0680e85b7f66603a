/**
 * Servers in a process of their own: at PATH one that answers and closes before it reads; at PATH.pushes one that says more 50 ms after
 * an answer, which no one asked for; at PATH.ends one whose connections end 50 ms after an answer.
 */
import { createServer } from 'node:net';

function written(status, error) {
  const body = `{"error":"${error}","detail":""}`;
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const path = process.argv[2];
const listen = (options, name, serve) => new Promise((resolve) => {
  createServer(options, (connection) => serve(connection.on('error', () => {}))).listen(name, resolve);
});
const answering = (then) => (connection) => connection.on('data', () => {
  connection.write(written(400, 'answer'));
  setTimeout(then, 50, connection);
});
await listen({ pauseOnConnect: true }, path, (connection) => connection.end(written(403, 'peer'), () => connection.destroy()));
await listen({}, `${path}.pushes`, answering((connection) => connection.write(written(400, 'pushed'))));
await listen({}, `${path}.ends`, answering((connection) => connection.destroy()));
process.send('listens');
process.once('disconnect', () => process.exit(0));
