// table.json: every row, its work and its bars.

import { readFileSync } from "node:fs";

export const readTable = () =>
  JSON.parse(readFileSync(new URL("./table.json", import.meta.url), "utf8"));

/** The rows that the options ask for; those that stand `apart` take minutes and must be named. */
export const chosenRows = (rows, { quick, only }) =>
  rows.filter(({ id, quick: isQuick, apart: isApart }) =>
    only ? only.some((word) => id.includes(word)) : quick ? isQuick : !isApart,
  );
