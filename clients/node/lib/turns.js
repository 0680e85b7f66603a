/** How many questions are on the way at once: each has a connection, of which there are not more than a number. */
export class Turns {
  #free;
  #waiting = [];

  constructor(most) { this.#free = most; }

  /** Waits for a turn, which `give` ends; NoAnswer if the deadline is earlier. */
  async take(deadline) {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let goesOn = null;
    try {
      await deadline.wait((resolve) => {
        goesOn = resolve;
        this.#waiting.push(resolve);
      });
    } catch (error) {
      const place = this.#waiting.indexOf(goesOn);
      if (place >= 0) this.#waiting.splice(place, 1);
      // It was given as the deadline passed.
      else if (goesOn !== null) this.give();
      throw error;
    }
  }

  give() {
    const goesOn = this.#waiting.shift();
    if (goesOn === undefined) this.#free += 1;
    else goesOn();
  }
}
