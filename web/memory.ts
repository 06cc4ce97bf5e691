/** What the browser remembers of the reader between visits. */

/** The browser's memory, where it lets us have one (not in sandboxed frames). */
export function remember(key: string, value?: string): string {
  try {
    if (value === undefined) return localStorage.getItem(`whereformer.${key}`) ?? "";
    localStorage.setItem(`whereformer.${key}`, value);
  } catch {
    // No memory: the address still has it.
  }
  return "";
}
