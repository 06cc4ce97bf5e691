/** Values that the browser keeps between visits. */

/** Reads or writes the browser's storage, if it is available (not in sandboxed frames). */
export function remember(key: string, value?: string): string {
  try {
    if (value === undefined) return localStorage.getItem(`whereformer.${key}`) ?? "";
    localStorage.setItem(`whereformer.${key}`, value);
  } catch {
    // Without storage the value is still in the address.
  }
  return "";
}
