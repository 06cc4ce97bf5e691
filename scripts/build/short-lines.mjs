// Breaks the lines of bundled scripts. For an uncaught error, Node prints the line that threw it
// before the message: for a script on one line, the whole script.
//   node scripts/build/short-lines.mjs FOLDER

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** A line is broken at the first possible place after so many characters. */
const wanted = 320;

/**
 * Lists of a syntax node between whose items a line may be broken, and the text before each item.
 */
const lists = {
  Program: ["body", ";{}"],
  BlockStatement: ["body", ";{}"],
  StaticBlock: ["body", ";{}"],
  ClassBody: ["body", ";{}"],
  SwitchCase: ["consequent", ";{}:"],
  VariableDeclaration: ["declarations", ","],
  SequenceExpression: ["expressions", ","],
  ObjectExpression: ["properties", ","],
  ArrayExpression: ["elements", ","],
};

/** Offsets at which lines may be broken, in the order of the script. */
function breaksIn(code) {
  const breaks = [];
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return void node.forEach(visit);
    const [key, before] = lists[node.type] ?? [];
    for (const part of (key && node[key]) || [])
      if (part && before.includes(code[part.start - 1])) breaks.push(part.start);
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(code, { lang: "js" }));
  return breaks.sort((a, b) => a - b);
}

/** The offsets that are used: columns of each line at which a new one begins. */
function chosen(code) {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  const columns = starts.map(() => []);
  let line = 0;
  let last = 0;
  for (const offset of breaksIn(code)) {
    while (line + 1 < starts.length && starts[line + 1] <= offset) last = starts[++line];
    if (offset - last < wanted) continue;
    columns[line].push(offset - starts[line]);
    last = offset;
  }
  return columns;
}

function broken(line, columns) {
  const edges = [0, ...columns, line.length];
  return columns.length
    ? edges
        .slice(1)
        .map((end, i) => line.slice(edges[i], end))
        .join("\n")
    : line;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The first number of a map's segment, and the text of the others. */
function firstNumber(segment) {
  let value = 0;
  for (let i = 0, shift = 0; ; i++, shift += 5) {
    const digit = digits.indexOf(segment[i]);
    value += (digit & 31) * 2 ** shift;
    if (digit < 32) return [value % 2 ? -(value - 1) / 2 : value / 2, segment.slice(i + 1)];
  }
}

function numberText(number) {
  let text = "";
  let rest = number < 0 ? -2 * number + 1 : 2 * number;
  do {
    const digit = rest % 32;
    rest = (rest - digit) / 32;
    text += digits[digit + (rest ? 32 : 0)];
  } while (rest);
  return text;
}

/** A line of a map's mappings, split; only the columns restart in each line. */
function brokenMappings(mappings, columns) {
  if (!columns.length || !mappings) return mappings + ";".repeat(columns.length);
  const lines = [[]];
  let column = 0;
  let written = 0;
  for (const segment of mappings.split(",")) {
    const [step, rest] = firstNumber(segment);
    column += step;
    while (lines.length <= columns.length && column >= columns[lines.length - 1]) {
      written = columns[lines.length - 1];
      lines.push([]);
    }
    lines.at(-1).push(numberText(column - written) + rest);
    written = column;
  }
  while (lines.length <= columns.length) lines.push([]);
  return lines.map((segments) => segments.join(",")).join(";");
}

/** Breaks the lines of every script in a folder, and adjusts its map. */
function shortenLines(folder) {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".js"))) {
    const file = join(folder, name);
    const code = readFileSync(file, "utf8");
    const columns = chosen(code);
    const lines = code.split("\n").map((line, i) => broken(line, columns[i]));
    writeFileSync(file, lines.join("\n"));
    if (!existsSync(`${file}.map`)) continue;
    const map = JSON.parse(readFileSync(`${file}.map`, "utf8"));
    const mappings = map.mappings.split(";");
    const all = columns.map((of, i) => brokenMappings(mappings[i] ?? "", of));
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: all.join(";") }));
  }
}

shortenLines(process.argv[2]);
