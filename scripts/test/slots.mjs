// Limits the runners in parallel to the number of cores, unless one uses all of them.

/**
 * A counting semaphore. Requests are served in order, so that one for all slots is not overtaken.
 */
export class Slots {
  #free;
  #waiting = [];

  constructor(count) {
    this.count = count;
    this.#free = count;
  }

  /** Runs `work` when so many slots are free; resolves to its result. */
  async use(count, work) {
    const wanted = Math.min(count, this.count);
    await new Promise((resolve) => {
      this.#waiting.push({ wanted, resolve });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#free += wanted;
      this.#next();
    }
  }

  #next() {
    while (this.#waiting.length && this.#waiting[0].wanted <= this.#free) {
      const { wanted, resolve } = this.#waiting.shift();
      this.#free -= wanted;
      resolve();
    }
  }
}
