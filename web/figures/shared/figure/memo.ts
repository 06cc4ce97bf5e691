/** A value that is made anew only where something that it depends on has changed. */

/**
 * Whether two lists hold the same parts. NaN is the same as NaN: were it not, what depends on it
 * would be made anew for ever.
 */
export const sameParts = (a: readonly unknown[] | undefined, b: readonly unknown[]): boolean =>
  a?.length === b.length && b.every((part, index) => Object.is(part, a[index]));

export class Memo<T> {
  #last: { depends: readonly unknown[]; value: T } | undefined;

  /** The last value while `depends` holds the same parts, else what `make` gives. */
  of(depends: readonly unknown[], make: () => T): T {
    if (!this.#last || !sameParts(this.#last.depends, depends))
      this.#last = { depends, value: make() };
    return this.#last.value;
  }
}
