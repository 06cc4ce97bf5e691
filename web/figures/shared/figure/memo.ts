/** A value that is computed again only if its inputs change. */

/**
 * Whether two lists are equal, element by element. NaN equals NaN: otherwise a value that depends
 * on it would be computed every time.
 */
export const sameParts = (a: readonly unknown[] | undefined, b: readonly unknown[]): boolean =>
  a?.length === b.length && b.every((part, index) => Object.is(part, a[index]));

export class Memo<T> {
  #last: { depends: readonly unknown[]; value: T } | undefined;

  /** Returns the last value if `depends` is unchanged, else the result of `make`. */
  of(depends: readonly unknown[], make: () => T): T {
    if (!this.#last || !sameParts(this.#last.depends, depends))
      this.#last = { depends, value: make() };
    return this.#last.value;
  }
}
