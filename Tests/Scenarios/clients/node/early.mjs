/**
 * Listens at a path, and says 403 to each connection without reading a byte; at PATH.pushes, where it answers each question, and the
 * first one once more when there is a file PATH.push, whereupon there is a file PATH.pushed; and at PATH.ends, where a connection that
 * was answered ends when there is a file PATH.end, whereupon there is a file PATH.ended.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

function written(status, error) {
  const body = `{"error":"${error}","detail":""}`;
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const path = process.argv[2];
let questions = 0;

/** Does something once there is a file. */
function onceThere(name, act) {
  const looking = setInterval(() => {
    if (!existsSync(name)) return;
    clearInterval(looking);
    act();
  }, 10);
}

const early = createServer({ pauseOnConnect: true }, (connection) => {
  connection.end(written(403, 'peer'), () => connection.destroy());
});
const pushes = createServer((connection) => {
  connection.on('error', () => {}).on('data', () => {
    questions += 1;
    connection.write(written(400, `answer-${questions}`));
    const isOut = () => writeFileSync(`${path}.pushed`, '');
    if (questions === 1) onceThere(`${path}.push`, () => connection.write(written(400, 'pushed'), isOut));
  });
});
const ends = createServer((connection) => {
  connection.on('error', () => {}).on('data', () => {
    questions += 1;
    connection.write(written(400, `answer-${questions}`));
    onceThere(`${path}.end`, () => connection.once('close', () => writeFileSync(`${path}.ended`, '')).destroy());
  });
});
early.listen(path, () => pushes.listen(`${path}.pushes`, () => ends.listen(`${path}.ends`, () => process.send('listens'))));
process.once('disconnect', () => process.exit(0));
