/** A figure's title where a page gives one of its own: `heading`. */

/** Of what the page gave and what the figure says itself; empty for none. */
export function titleOf(given: unknown, own: string): string {
  if (given === undefined || given === null) return own;
  return given === false || given === "none" ? "" : String(given).trim();
}
