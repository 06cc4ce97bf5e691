/** A value that is made anew only where something that it depends on has changed. */
export class Memo<T> {
  #last: { depends: readonly unknown[]; value: T } | undefined;

  /** The last value while `depends` holds the same parts, else what `make` gives. */
  of(depends: readonly unknown[], make: () => T): T {
    const isSame =
      this.#last?.depends.length === depends.length &&
      depends.every((part, index) => Object.is(part, this.#last!.depends[index]));
    if (!this.#last || !isSame) this.#last = { depends, value: make() };
    return this.#last.value;
  }
}
