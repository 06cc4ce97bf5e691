// How long the functions of a file are.

import ts from "typescript";
import { codeOf, textOf } from "./tree.mjs";

const linesBetween = (text, from, to) => text.slice(from, to).split("\n").length;

/** Where each function of JavaScript or TypeScript begins, and how many lines it has. */
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
 * The functions of C++ without strings and comments: braces in a namespace or a type, after what
 * has parentheses. What stands within one, such as a lambda, is part of it.
 */
export function cppFunctions(code) {
  const found = [];
  const open = []; // for each brace: where its function begins, or "room" or "inner"
  let head = 0;
  let depth = 0; // of braces that are no rooms
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

/** The functions of a file that have more lines, as messages of a failed test. */
export function longFunctions(file, most) {
  const functions = /\.(?:cpp|h)$/.test(file) ? cppFunctions(codeOf(file)) : scriptFunctions(file);
  return functions
    .filter(({ lines }) => lines > most)
    .map(({ line, lines }) => `${file}:${line}: ${lines} lines`);
}
