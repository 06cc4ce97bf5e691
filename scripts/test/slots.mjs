// How many runners run side by side: as many as there are cores, unless one uses all by itself.

/** Places for work. Who asked first comes first, so that a request for all places is not passed. */
export class Slots {
  #free;
  #waiting = [];

  constructor(count) {
    this.count = count;
    this.#free = count;
  }

  /** Runs `work` when so many places are free, and resolves to its result. */
  async use(places, work) {
    const wanted = Math.min(places, this.count);
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
