/**
 * The only event bus of the page. Reports the names of changed parts once for all changes within a
 * task, so that a listener renders once.
 */
export class Changes<Part extends string> {
  #listeners = new Set<(parts: ReadonlySet<Part>) => void>();
  #parts = new Set<Part>();

  /** Calls back after each task in which something has changed, until `forget` is called. */
  listen(listener: (parts: ReadonlySet<Part>) => void): void {
    this.#listeners.add(listener);
  }

  forget(listener: (parts: ReadonlySet<Part>) => void): void {
    this.#listeners.delete(listener);
  }

  tell(...parts: Part[]): void {
    if (!parts.length) return;
    if (!this.#parts.size) queueMicrotask(() => this.#spread());
    for (const part of parts) this.#parts.add(part);
  }

  #spread(): void {
    const parts = this.#parts;
    this.#parts = new Set();
    for (const listener of [...this.#listeners]) listener(parts);
  }
}
