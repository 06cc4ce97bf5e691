// The table in the terminal.

import { barText, figureText, milliseconds, timesOf, verdict } from "./numbers.mjs";

const heads = [
  "work",
  "where",
  "thr",
  "ours ms",
  "other ms",
  "other",
  "figure",
  "must",
  "aim",
  "bar",
  "plain",
  "FMA",
];
const isNumber = (column) => [3, 4, 6, 10, 11].includes(column);

/** Cells of equal width; text counts in code points, which is what a terminal shows here. */
function aligned(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => [...row[column]].length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = " ".repeat(widths[column] - [...cell].length);
        return isNumber(column) ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd(),
  );
}

function cellsOf(line) {
  const { ours, other, name } = timesOf(line);
  return [
    line.work,
    line.where,
    String(line.threads),
    milliseconds(ours),
    milliseconds(other),
    name,
    figureText(line.figure),
    barText(line.must, line.direction),
    barText(line.aim, line.direction),
    verdict(line),
    figureText(line.plain),
    line.gflops ? line.gflops.toFixed(0) : "",
  ];
}

/** The text of a run: a table for each section, then what is below its bar. */
export function terminalTable({ lines, machine, command, seconds, date }, sections) {
  const parts = [];
  for (const [id, { title, figure }] of Object.entries(sections)) {
    const own = lines.filter(({ section }) => section === id);
    if (own.length === 0) continue;
    parts.push(`${title} (figure: ${figure})`, ...aligned([heads, ...own.map(cellsOf)]), "");
  }
  const counted = lines.filter(({ met }) => met !== undefined);
  const below = counted.filter(({ met }) => !met);
  parts.push(
    `${counted.length - below.length} of ${counted.length} bars met; plain: plain JavaScript ÷ ours; FMA: GFLOP/s of fused multiply-adds beside the row`,
    ...below.map(
      (line) =>
        `below: ${line.work}, ${line.where}: ${figureText(line.figure)}, ${barText(line.must, line.direction)}`,
    ),
    `${command} · ${date} · ${machine.cpu}, ${machine.cores} cores · ${seconds} s`,
  );
  return parts.join("\n");
}
