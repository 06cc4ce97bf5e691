// table.json: every row, its work and its bars.

import { readFileSync } from "node:fs";

/** The sections, and the rows with what their groups say of all of them. */
export function readTable() {
  const { sections, groups } = JSON.parse(
    readFileSync(new URL("./table.json", import.meta.url), "utf8"),
  );
  const rows = groups.flatMap(({ rows, parameters, ...shared }) =>
    rows.map((row) => ({ ...shared, ...row, parameters: { ...parameters, ...row.parameters } })),
  );
  return { sections, rows };
}

/** The rows that the options ask for; those that stand `apart` take minutes and must be named. */
export const chosenRows = (rows, { quick, only }) =>
  rows.filter(({ id, quick: isQuick, apart: isApart }) =>
    only ? only.some((word) => id.includes(word)) : quick ? isQuick : !isApart,
  );
