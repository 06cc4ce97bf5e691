/** Time that runs until it is stopped, by the end of its range at the latest. */
export class Run {
  #frame = 0;

  get isOn(): boolean {
    return this.#frame !== 0;
  }

  /**
   * Calls `show` with what has gone in each frame, at `speed` in a second, until that is `length`;
   * then `end`.
   */
  start(length: number, speed: number, show: (gone: number) => void, end: () => void): void {
    const began = performance.now();
    const step = (now: number): void => {
      const gone = Math.min(length, Math.max(0, ((now - began) / 1000) * speed));
      show(gone);
      if (gone < length) this.#frame = requestAnimationFrame(step);
      else end();
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}
