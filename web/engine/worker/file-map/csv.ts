/**
 * CSV of one map (RFC 4180; commas, semicolons or tabs): one line per row, with or without the
 * columns' tokens above and the rows' tokens before them. An empty field is a masked cell.
 */
import { type FileMapAnswer, longestMapSide } from "../../both/map-messages.js";
import { malformed, shapeOf } from "./shape.js";

/**
 * Returns the fields of the line that begins at `from`; quoted fields may contain separators and
 * line ends.
 */
function lineAt(text: string, from: number, separator: string): { fields: string[]; next: number } {
  const fields: string[] = [];
  for (let at = from; ; ) {
    let field = "";
    if (text[at] === '"') {
      for (at++; ; ) {
        const end = text.indexOf('"', at);
        if (end < 0) throw malformed("the CSV ends inside quotation marks");
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
    field += text.slice(at, end).replace(/\r$/, "");
    fields.push(field);
    if (fields.length > longestMapSide + 1)
      throw malformed(`the CSV has a line of more than ${longestMapSide + 1} fields`);
    at = end + 1;
    if (end >= text.length || text[end] === "\n") return { fields, next: at };
  }
}

function linesOf(text: string): string[][] {
  const begin = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const firstEnd = text.indexOf("\n", begin);
  const first = text.slice(begin, firstEnd < 0 ? text.length : firstEnd);
  const separator = first.includes("\t")
    ? "\t"
    : !first.includes(",") && first.includes(";")
      ? ";"
      : ",";
  const lines: string[][] = [];
  for (let at = begin; at < text.length; ) {
    const { fields, next } = lineAt(text, at, separator);
    at = next;
    if (fields.length === 1 && !fields[0]!.trim()) continue;
    lines.push(fields);
    if (lines.length > longestMapSide + 1)
      throw malformed(`the CSV has more than ${longestMapSide + 1} lines`);
  }
  return lines;
}

const isNumber = (field: string): boolean => {
  const written = field.trim();
  return written !== "" && (written.toLowerCase() === "nan" || Number.isFinite(Number(written)));
};

const numberOf = (field: string, row: number, column: number): number => {
  const written = field.trim();
  if (written === "" || written.toLowerCase() === "nan") return Number.NaN;
  const value = Number(written);
  if (!Number.isFinite(value))
    throw malformed(`“${written.slice(0, 20)}” in row ${row + 1}, column ${column + 1} of the CSV`);
  return value;
};

export function readCsv(text: string): FileMapAnswer {
  const lines = linesOf(text);
  if (!lines.length) throw malformed("the CSV has no lines");
  const above = lines[0]!;
  // Tokens may be numbers: an empty corner, or a field that is not a number, shows that there is a
  // header.
  const hasHeader = lines.length > 1 && (above[0] === "" || !above.every(isNumber));
  const body = hasHeader ? lines.slice(1) : lines;
  const hasNames =
    (hasHeader && above[0] === "") || body.some(([first]) => first !== "" && !isNumber(first!));
  const cells = hasNames ? body.map((line) => line.slice(1)) : body;
  const columns = cells[0]!.length;
  const sizes = shapeOf([cells.length, columns], "the CSV");
  const values = new Float32Array(cells.length * columns);
  cells.forEach((line, row) => {
    if (line.length !== columns)
      throw malformed(
        `line ${row + 1} of the CSV has ${line.length} numbers, the first ${columns}`,
      );
    line.forEach((field, column) => {
      values[row * columns + column] = numberOf(field, row, column);
    });
  });
  const header = hasHeader ? above.slice(above.length - columns) : undefined;
  if (header && header.length !== columns)
    throw malformed(`the CSV names ${header.length} columns and has ${columns}`);
  const names = hasNames ? body.map(([name]) => name!) : undefined;
  return {
    ...sizes,
    values,
    ...(names && { rowTokens: names }),
    ...(header && { columnTokens: header }),
  };
}
