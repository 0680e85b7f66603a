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

  /** Takes a connection whose answer was read whole. */
  give(connection) {
    if (connection.isOver) return;
    connection.rest(() => { this.#idle = this.#idle.filter((each) => each !== connection); });
    this.#idle.push(connection);
    if (this.#idle.length > this.#most) this.#idle[0].close();
  }

  close() {
    for (const connection of this.#idle) connection.close();
  }
}
