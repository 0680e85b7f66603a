/** One answer of HTTP/1.1, read by the letter (clients/README.md, "How an answer is read"). What is not so is a ForeignAnswer. */
import { ForeignAnswer } from './errors.js';

const HEAD_BYTES = 16_384;
const END = '\r\n\r\n';
// A character for each byte.
const STATUS_LINE = /^HTTP\/1\.1 ([0-9]{3}) [\t\x20-\x7e\x80-\xff]*$/;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;
const LENGTH = /^[0-9]{1,9}$/;
/** Fields that say how an answer is to be read: each at most once. */
const SINGLE = new Set(['content-length', 'content-type', 'connection', 'retry-after']);
/** Fields with which a body is not what its bytes say. */
const FORBIDDEN = new Set(['transfer-encoding', 'content-encoding']);

/** Takes bytes as they come, until the answer is whole. */
export class AnswerReader {
  #most;
  #pieces = [];
  #count = 0;
  #head = null;

  /** `most` is how many bytes a body may have. */
  constructor(most) { this.#most = most; }

  /** How many bytes came. */
  get count() { return this.#count; }

  /** The whole answer (`status`, `fields`, `body`), or null while it is not whole. */
  take(bytes) {
    this.#count += bytes.length;
    this.#pieces.push(bytes);
    if (this.#head === null && !this.#takeHead()) return null;
    const { status, fields, length, start } = this.#head;
    if (this.#count - start > length) throw new ForeignAnswer('foreign answer: there is more than one');
    if (this.#count - start < length) return null;
    return { status, fields, body: Buffer.concat(this.#pieces).subarray(start) };
  }

  #takeHead() {
    const received = Buffer.concat(this.#pieces);
    this.#pieces = [received];
    const end = received.indexOf(END);
    if ((end < 0 ? received.length : end) > HEAD_BYTES) throw new ForeignAnswer('foreign answer: its head is too long');
    if (end < 0) return false;
    this.#head = { ...parsed(received.toString('latin1', 0, end)), start: end + END.length };
    if (this.#head.length > this.#most) throw new ForeignAnswer('foreign answer: it is too long');
    return true;
  }
}

function parsed(head) {
  const [line, ...lines] = head.split('\r\n');
  const start = STATUS_LINE.exec(line);
  if (start === null) throw new ForeignAnswer('foreign answer: no status line of HTTP/1.1');
  const fields = new Map();
  for (const each of lines) {
    const field = FIELD.exec(each);
    if (field === null) throw new ForeignAnswer('foreign answer: a broken field in its head');
    const name = field[1].toLowerCase();
    if (FORBIDDEN.has(name) || (SINGLE.has(name) && fields.has(name))) {
      throw new ForeignAnswer('foreign answer: its head can be read in two ways');
    }
    fields.set(name, withoutSpace(field[2]));
  }
  const status = Number(start[1]);
  const length = fields.get('content-length') ?? '';
  if (status < 200 || !LENGTH.test(length)) throw new ForeignAnswer('foreign answer: expected one with a Content-Length');
  return { status, fields, length: Number(length) };
}

/** Without spaces and tabs around it, and nothing else: `trim` takes more away. */
function withoutSpace(text) {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}
