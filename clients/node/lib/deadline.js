/** One instant for a whole call, which the caller's signal may bring forward. */
import { NoAnswer } from './errors.js';

export class Deadline {
  #end;
  #timer;
  #signal;
  #error = null;
  #reject = null;
  #onAbort = () => this.#pass('no answer: the caller ended the wait');

  constructor(milliseconds, signal) {
    this.#end = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#pass(), milliseconds);
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** What `start(resolve, reject)` comes to; NoAnswer if the deadline is earlier. A call waits for one thing at a time. */
  wait(start) {
    return new Promise((resolve, reject) => {
      // The timer is late where the program kept the event loop busy.
      if (performance.now() >= this.#end) this.#pass();
      if (this.#error) return reject(this.#error);
      this.#reject = reject;
      start(resolve, reject);
    });
  }

  /** The call is over. */
  clear() {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #pass(message = 'no answer: none came in time') {
    this.#error ??= new NoAnswer(message);
    this.#reject?.(this.#error);
  }
}

/**
 * Returns after the event loop has looked at every socket. The second one is needed, as the first may come in the turn in which it
 * was asked for, whose look was earlier.
 */
export const turnOfTheLoop = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
