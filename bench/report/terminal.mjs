// The table in the terminal.

import {
  barText,
  cellsOf,
  columnNotes,
  columns,
  failuresOf,
  figureText,
  lengthCells,
} from "./numbers.mjs";

/** Aligns rows of cells in columns. */
function aligned(rows, isText = (column) => column === 0) {
  const widthOf = (cell) => [...cell].length;
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = " ".repeat(widths[column] - widthOf(cell));
        return isText(column) ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd(),
  );
}

function sectionText(lines, { title, figure, isLengths }) {
  if (isLengths) return [`${title}, ms`, ...aligned(lengthCells(lines)), ...failuresOf(lines), ""];
  const rows = [columns.map(({ head }) => head), ...lines.map(cellsOf)];
  return [`${title} (figure: ${figure})`, ...aligned(rows, (column) => columns[column].text), ""];
}

/** Returns the text of a run: a table for each section, then the rows that miss their bar. */
export function terminalTable({ lines, machine, command, seconds, date }, sections) {
  const parts = [];
  for (const [id, section] of Object.entries(sections)) {
    const ofSection = lines.filter((line) => line.section === id);
    if (ofSection.length > 0) parts.push(...sectionText(ofSection, section));
  }
  const counted = lines.filter(({ met }) => met !== undefined);
  const below = counted.filter(({ met }) => !met);
  parts.push(
    `${counted.length - below.length} of ${counted.length} bars met. ${columnNotes}`,
    ...below.map(
      ({ work, where, threads, figure, unit, must, direction }) =>
        `below: ${work}, ${where}${threads > 1 ? `, ${threads} threads` : ""}: ` +
        `${figureText(figure, unit)}, ${barText(must, direction)}`,
    ),
    `${command} · ${date} · ${machine.cpu}, ${machine.cores} cores · ${seconds} s`,
  );
  return parts.join("\n");
}
