/** The title of a figure, which `heading` can replace. */

/** Returns the page's title, if there is one, else the figure's own; empty for none. */
export function titleOf(given: unknown, fallback: string): string {
  if (given === undefined || given === null) return fallback;
  return given === false || given === "none" ? "" : String(given).trim();
}
