/**
 * The one path of events. What has changed is told by name, once for all that changes within a
 * task, so that whoever shows it renders once.
 */
export class Changes<Part extends string> {
  #listeners = new Set<(parts: ReadonlySet<Part>) => void>();
  #parts = new Set<Part>();

  /** Calls back after each task in which something has changed, until `forget`. */
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
