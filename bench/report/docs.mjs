// Writes the results of a run between the marks in docs/bench.md.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barsSvg } from "./bars.mjs";
import { lengthsSvg } from "./lengths-plot.mjs";
import { cellsOf, columnNotes, columns, failuresOf, lengthCells } from "./numbers.mjs";

const begin = "<!-- begin: written by npm run bench -- --write -->";
const end = "<!-- end -->";

const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/**
 * Returns rows of cells as a Markdown table, whose first row is the header; `isText` returns
 * whether a column is aligned to the left.
 */
export const markdownTable = ([heads, ...rows], isText) => [
  line(heads),
  line(heads.map((_, column) => (isText(column) ? "---" : "--:"))),
  ...rows.map(line),
];

function sectionText(lines, { title, figure, isLengths }) {
  if (isLengths) {
    const failures = failuresOf(lines).map((failure) => `- ${failure}`);
    return [
      `### ${title}, ms`,
      "",
      "![Cost against length](bench-lengths.svg)",
      "",
      ...markdownTable(lengthCells(lines), () => false),
      "",
      ...failures,
    ];
  }
  const rows = [columns.map(({ head }) => head), ...lines.map(cellsOf)];
  const body = markdownTable(rows, (column) => columns[column].text);
  return [`### ${title}`, "", `Figure: ${figure}.`, "", ...body];
}

/** Returns the generated part of the page. */
export function runText({ lines, machine, command, commit, date }, sections) {
  const counted = lines.filter(({ met }) => met !== undefined);
  const places = [...new Set(lines.map((one) => one.machine))].join(", ");
  const parts = [
    `\`${command}\`, ${date}${commit ? `, commit ${commit}` : ""}, on ${machine.cores} ` +
      `virtual cores of an ${machine.cpu}; ${places}. ` +
      `${counted.filter(({ met }) => met).length} of ${counted.length} bars met.`,
    "",
    "![How many times as long the best peer takes](bench.svg)",
    "",
    `In the tables, ${columnNotes}.`,
    "",
  ];
  for (const [id, section] of Object.entries(sections)) {
    const own = lines.filter((one) => one.section === id);
    if (own.length > 0) parts.push(...sectionText(own, section), "");
  }
  return parts.join("\n");
}

/** Writes a run to the page, and its chart beside it. */
export function writeDocs(root, run, sections) {
  const file = join(root, "docs/bench.md");
  const page = readFileSync(file, "utf8");
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined)
    throw new Error(`docs/bench.md has lost its marks, "${begin}" and "${end}"`);
  writeFileSync(file, `${before}${begin}\n\n${runText(run, sections)}\n${end}${after}`);
  writeFileSync(join(root, "docs/bench.svg"), barsSvg(run));
  const lengths = run.lines.filter(({ section }) => sections[section].isLengths);
  const plot = lengthsSvg(lengths, run.date);
  if (plot) writeFileSync(join(root, "docs/bench-lengths.svg"), plot);
}
