// Report of a run against another build: a line per row, and the rows that are slower than allowed.

import { allowedOf } from "../measure/against.mjs";
import { median } from "../measure/statistics.mjs";

const shown = (value) => (Number.isFinite(value) ? value.toFixed(3) : "");

/**
 * Returns a line for each row and number of threads, in the order of the table: the medians over
 * the processes of its last attempt.
 */
function linesOf(records, rows) {
  const groups = new Map();
  for (const record of records) {
    const key = `${record.id} ${record.threads}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map((all) => {
    const attempts = Math.max(...all.map(({ attempt = 1 }) => attempt));
    const draws = all.filter(({ attempt = 1 }) => attempt === attempts);
    const [{ id, threads }] = draws;
    const row = rows.find((one) => one.id === id);
    const middle = (key) => median(draws.map((draw) => draw[key]).filter(Number.isFinite));
    const [figure, fromArrays] = [middle("figure"), middle("fromArrays")];
    const isSlower = [figure, fromArrays].some((value) => value > allowedOf(row));
    const { error, notOffered } = draws.find((draw) => draw.error ?? draw.notOffered) ?? {};
    const { work } = row;
    return { id, work, threads, figure, fromArrays, isSlower, attempts, said: error ?? notOffered };
  });
}

/** Returns the lines of rows that are slower than allowed. */
export const slowerLines = (records, rows) =>
  linesOf(records, rows).filter(({ isSlower }) => isSlower);

/** Returns the text of such a run, and the number of rows that are slower than allowed. */
export function againstText(records, rows) {
  const lines = linesOf(records, rows);
  const text = lines.map(({ work, threads, figure, fromArrays, isSlower, attempts, said }) => {
    const numbers = [shown(figure), shown(fromArrays)].map((cell) => cell.padStart(7)).join(" ");
    const again = attempts > 1 ? `, measured ${attempts} times` : "";
    const note = isSlower ? "  SLOWER" : said ? `  ${said.split("\n")[0]}` : "";
    return `${numbers}  ${work}${threads > 1 ? `, ${threads} threads` : ""}${again}${note}`;
  });
  const slower = lines.filter(({ isSlower }) => isSlower).length;
  const head = "time of this build ÷ the other's: operands in the engine, from arrays";
  const foot = `${lines.length - slower} of ${lines.length} rows are no slower than is allowed`;
  return { text: [head, ...text, foot].join("\n"), slower };
}
