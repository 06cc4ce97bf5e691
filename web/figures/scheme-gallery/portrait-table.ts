/** The numbers of the open scheme's picture, as rows of a table. */
import type { Portrait } from "./portrait-picture.js";

type Row = (string | number)[];

/** Returns one row for each number: its name, its indices from 0, its value. */
export function portraitTable({ answer, head }: Portrait): Row[] {
  const rows: Row[] = [["scheme", "what", "head", "row", "column", "query", "key", "value"]];
  const { scheme, picture, record, labels, isCausal } = answer;
  const add = (what: string, of: number | "", row: number, column: number, value: number) =>
    rows.push([scheme, what, of, row, column, "", "", value]);
  if (picture.kind === "encoding") {
    picture.values.forEach((value, index) => {
      const position = Math.floor(index / picture.channels);
      add("encoding: position, channel", "", position, index % picture.channels, value);
    });
  } else if (picture.kind === "rotation") {
    picture.frequencies.forEach((value, pair) => {
      add("radians per position: pair", "", pair, 0, value);
    });
    picture.left.forEach((value, distance) => {
      add("score of equal vectors: distance", "", distance, 0, value);
    });
  } else if (picture.kind === "bias") {
    const n = picture.positions;
    picture.curves.forEach((value, index) => {
      add("bias: query, key", Math.floor(index / n) + 1, n - 1, index % n, value);
    });
  } else if (picture.kind === "grid") {
    const { side, what, values } = picture;
    values.forEach((value, index) => {
      const map = Math.floor(index / (side * side));
      const cell = index % (side * side);
      add(`${what}: map ${map}`, "", Math.floor(cell / side), cell % side, value);
    });
  }
  const n = labels.length;
  const maps = { weight: record.weights, ...record.terms, score: record.logits };
  for (const [name, values] of Object.entries(maps)) {
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < (isCausal ? row + 1 : n); column++) {
        const value = values[(head * n + row) * n + column]!;
        rows.push([scheme, name, head + 1, row, column, labels[row]!, labels[column]!, value]);
      }
    }
  }
  return rows;
}
