// Finds functions of a file and counts their lines.

import ts from "typescript";
import { codeOf, textOf } from "./tree.mjs";

const linesBetween = (text, from, to) => text.slice(from, to).split("\n").length;

/**
 * Returns where each function of a JavaScript or TypeScript file begins, and how many lines it has.
 */
function scriptFunctions(file) {
  const text = textOf(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const from = node.getStart();
    if (ts.isFunctionLike(node) && node.body)
      found.push({ line: linesBetween(text, 0, from), lines: linesBetween(text, from, node.end) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isRoom = (head) => /\b(?:namespace|class|struct|union|enum|extern)\b[^()]*$/.test(head);

/**
 * Returns the functions of C++ code without strings and comments: braces after parentheses, in a
 * namespace or a type. A lambda counts as a part of the function that contains it.
 */
export function cppFunctions(code) {
  const found = [];
  const open = []; // per open brace: begin of its function, "room" (namespace, type), "inner"
  let head = 0;
  let depth = 0; // open braces that are not rooms
  const plain = code.replace(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, (line) =>
    line.replace(/[^\n]/g, " "),
  );
  for (const { 0: brace, index } of plain.matchAll(/[{};]/g)) {
    if (brace === "{") {
      const text = plain.slice(head, index);
      const opened =
        depth > 0
          ? "inner"
          : isRoom(text)
            ? "room"
            : text.includes("(")
              ? head + text.search(/\S/)
              : "inner";
      open.push(opened);
      if (opened === "room") head = index + 1;
      else depth++;
      continue;
    }
    const closed = brace === "}" ? open.pop() : undefined;
    if (brace === "}" && closed !== "room") depth--;
    if (typeof closed === "number")
      found.push({
        line: linesBetween(plain, 0, closed),
        lines: linesBetween(plain, closed, index),
      });
    if (depth === 0) head = index + 1;
  }
  return found;
}

/** Returns the functions of a file that exceed a number of lines, as messages of a failed test. */
export function longFunctions(file, most) {
  const functions = /\.(?:cpp|h)$/.test(file) ? cppFunctions(codeOf(file)) : scriptFunctions(file);
  return functions
    .filter(({ lines }) => lines > most)
    .map(({ line, lines }) => `${file}:${line}: ${lines} lines`);
}
