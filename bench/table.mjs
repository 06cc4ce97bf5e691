// table.json: every row, its work and its bars.

import { readFileSync } from "node:fs";

/** Returns the sections, and the rows with the common settings of their groups. */
export function readTable() {
  const { sections, groups } = JSON.parse(
    readFileSync(new URL("./table.json", import.meta.url), "utf8"),
  );
  const rows = groups.flatMap(({ rows, parameters, ...shared }) =>
    rows.map((row) => ({ ...shared, ...row, parameters: { ...parameters, ...row.parameters } })),
  );
  return { sections, rows };
}

/** Returns the rows that the options select; rows with `apart` take minutes and must be named. */
export const chosenRows = (rows, { quick, only }) =>
  rows.filter(({ id, quick: isQuick, apart: isApart }) =>
    only ? only.some((word) => id.includes(word)) : quick ? isQuick : !isApart,
  );
