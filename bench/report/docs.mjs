// docs/bench.json, the recorded run, and the documents that show it, between marks.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barsSvg } from "./bars.mjs";
import { lengthsSvg } from "./lengths-plot.mjs";
import { cellsOf, columnNotes, columns, failuresOf, lengthCells } from "./numbers.mjs";
import { originText } from "./recorded.mjs";
import { quantisedTable, summaryText } from "./summary.mjs";

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

const recordOf = (root) => join(root, "docs/bench.json");

/** Returns the recorded run. */
export const readRun = (root) => JSON.parse(readFileSync(recordOf(root), "utf8"));

/** Records a run, each of its lines on one line. */
export function writeRun(root, { lines, ...run }) {
  const head = JSON.stringify(run).slice(0, -1);
  const body = lines.map((one) => `  ${JSON.stringify(one)}`).join(",\n");
  writeFileSync(recordOf(root), `${head},"lines":[\n${body}\n]}\n`);
}

function sectionText(lines, { title, figure, isLengths }) {
  if (isLengths) {
    const failures = failuresOf(lines).map((failure) => `- ${failure}`);
    return [
      `## ${title}, ms`,
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
  return [`## ${title}`, "", `Figure: ${figure}.`, "", ...body];
}

/** Returns all rows of a run, a table for each section. */
function rowsText(run, sections) {
  const parts = [`In the tables, ${columnNotes}.`, ""];
  for (const [id, section] of Object.entries(sections)) {
    const ofSection = run.lines.filter((one) => one.section === id);
    if (ofSection.length > 0) parts.push(...sectionText(ofSection, section), "");
  }
  return parts;
}

/** Replaces what is between the marks of a document. */
function writeBetweenMarks(root, name, lines) {
  const file = join(root, "docs", name);
  const page = readFileSync(file, "utf8");
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/${name} has lost its marks, "${begin}", "${end}"`);
  writeFileSync(file, `${before}${begin}\n\n${lines.join("\n").trim()}\n\n${end}${after}`);
}

/** Writes a run to the documents that show its figures, and its charts beside them. */
export function writeDocs(root, run, sections) {
  const { table, bars } = summaryText(run);
  const summed = originText(
    run,
    run.lines.filter(({ topic }) => topic),
  );
  writeBetweenMarks(root, "bench.md", [...summed, ...markdownTable(...table), "", bars]);
  const origin = originText(run, run.lines);
  writeBetweenMarks(root, "bench-rows.md", [...origin, ...rowsText(run, sections)]);
  const quantised = run.lines.filter(({ section }) => section === "quantised");
  const weights = markdownTable(quantisedTable(quantised), (column) => column === 0);
  writeBetweenMarks(root, "quantisation.md", [...originText(run, quantised), ...weights]);
  writeFileSync(join(root, "docs/bench.svg"), barsSvg(run));
  const lengths = run.lines.filter(({ section }) => sections[section].isLengths);
  const plot = lengthsSvg(lengths, run.date);
  if (plot) writeFileSync(join(root, "docs/bench-lengths.svg"), plot);
}
