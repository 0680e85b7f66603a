/** What a caller says, looked at before anything is asked. What cannot be is a TypeError or a RangeError. */

const ADDRESSES = 'the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT';
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})$/;
const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const OURS = new Set([
  'host', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'expect', 'te', 'trailer', 'upgrade',
]);
/** `sun_path` of unix(7), with the byte that ends it. A longer path would be cut, and lead elsewhere. */
const PATH_BYTES = 107;
/** The platform takes longer times for 1 ms. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

const LOCAL_CONNECTIONS = 64;
/** Over TCP the daemon takes 64 from all of its callers, and closes the others unread. */
const TCP_CONNECTIONS = 32;

const OPTIONS = {
  verify: ['requestor', 'resource', 'requestID', 'signal'],
  verifyDecision: ['requestor', 'resource', 'requestID', 'signal'],
  checkReady: ['signal'],
};

/** A client's settings. */
export function client(address, settings) {
  expectMembers('Client', settings, ['timeout', 'requestIDHeader', 'retryWindow', 'idleConnections', 'connections']);
  const { timeout = 5000, requestIDHeader, retryWindow, idleConnections = 8 } = settings;
  const where = parsed(address);
  const { connections = where.path === undefined ? TCP_CONNECTIONS : LOCAL_CONNECTIONS } = settings;
  expectMilliseconds('timeout', timeout);
  if (requestIDHeader !== undefined && (typeof requestIDHeader !== 'string' || !HEADER.test(requestIDHeader)
      || OURS.has(requestIDHeader.toLowerCase()))) {
    throw new RangeError('expected as requestIDHeader the name of a header that is free for request ids');
  }
  if (retryWindow !== undefined) {
    expectMilliseconds('retryWindow', retryWindow);
    if (requestIDHeader === undefined || where.path === undefined) {
      throw new RangeError("a retryWindow needs requestIDHeader and a UNIX socket, as the daemon's does");
    }
  }
  if (!Number.isSafeInteger(idleConnections) || idleConnections < 0) {
    throw new RangeError('expected as idleConnections a number of connections');
  }
  if (!Number.isSafeInteger(connections) || connections < 1) {
    throw new RangeError('expected as connections a number of connections from 1');
  }
  return { address: where, text: address, timeout, requestIDHeader, retryWindow, idleConnections, connections };
}

/** The options of a call. */
export function asked(method, options) {
  expectMembers(method, options, OPTIONS[method]);
  const { signal } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new TypeError('expected as signal an AbortSignal');
  }
  return options;
}

/** A name that is misspelt must not be taken for one that was left out. */
function expectMembers(what, options, known) {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${what}: expected an object with ${known.join(', ')}`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`${what}: unknown name ${JSON.stringify(name)}; it takes ${known.join(', ')}`);
  }
}

function expectMilliseconds(name, value) {
  if (typeof value !== 'number' || !(value > 0 && value <= MOST_MILLISECONDS)) {
    throw new RangeError(`expected as ${name} milliseconds, more than 0 and at most ${MOST_MILLISECONDS}`);
  }
}

function parsed(address) {
  if (typeof address !== 'string') throw new TypeError(`expected ${ADDRESSES}`);
  if (!address.includes('://')) {
    if (address === '' || address.includes('\0')) throw new RangeError('expected the path of a UNIX socket');
    if (Buffer.byteLength(address) > PATH_BYTES) {
      throw new RangeError(`expected a path of at most ${PATH_BYTES} bytes, as UNIX sockets have`);
    }
    return { __proto__: null, path: address };
  }
  const loopback = LOOPBACK.exec(address);
  if (loopback === null || Number(loopback[2]) > 65_535) {
    throw new RangeError(`expected ${ADDRESSES}`);
  }
  return { __proto__: null, host: loopback[1].replace(/[[\]]/g, ''), port: Number(loopback[2]) };
}
