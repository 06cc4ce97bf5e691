/** Updates elements near the window at once, and others when the reader pauses. */
import { cancelAtRest, whenAtRest } from "../../../tasks.js";

export class VisibilityScheduler {
  #watch: IntersectionObserver | undefined;
  #isFar = false;

  /** `wake` is called when the element first comes near, `follow` after each change. */
  constructor(
    private readonly wake: () => void,
    private readonly follow: () => void,
  ) {}

  begin(element: Element): void {
    let hasWoken = false;
    const look = (entries: readonly IntersectionObserverEntry[]) => {
      this.#isFar = !entries.at(-1)!.isIntersecting;
      if (!this.#isFar && cancelAtRest(this.follow)) this.follow();
      if (hasWoken || !entries.some(({ isIntersecting }) => isIntersecting)) return;
      hasWoken = true;
      this.wake();
    };
    this.#watch = new IntersectionObserver(look, { rootMargin: "600px 0px" });
    this.#watch.observe(element);
  }

  end(): void {
    this.#watch?.disconnect();
    this.#isFar = false;
    cancelAtRest(this.follow);
  }

  /** Call after a change of something that the element shows. */
  tell(): void {
    if (this.#isFar) whenAtRest(this.follow);
    else this.follow();
  }
}
