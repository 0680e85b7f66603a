/**
 * Connections that wait for the next question.
 *
 * Each process has its own, as Node.js starts processes and forks none: workers of `cluster` and threads inherit no connection.
 */
export class Pool {
  #most;
  #idle = [];

  constructor(most) { this.#most = most; }

  /** An idle connection that can be used, or null. The youngest is used first, so that the others grow old. */
  async take(deadline) {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) return null;
      try {
        if (await connection.wakes(deadline)) return connection;
      } catch (error) {
        connection.close();
        throw error;
      }
      connection.close();
    }
  }

  /** Takes a connection whose answer was read whole, and closes those that are too many or too old. */
  give(connection) {
    if (connection.isOver) return;
    connection.rest(() => { this.#idle = this.#idle.filter((each) => each !== connection); });
    this.#idle.push(connection);
    // One that is closed is taken out of the list by what `rest` was given.
    while (this.#idle.length > this.#most || this.#idle[0]?.isOld) this.#idle[0].close();
  }

  close() {
    for (const connection of this.#idle) connection.close();
  }
}
