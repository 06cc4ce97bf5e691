// The mutants of a C++ file: for each place where a fault is easily made, the text with that fault.

// Code to look for, and what takes its place, on one line. Operators stand between spaces, as the
// formatter leaves them, so templates and pointers are not taken for comparisons and products.
const replacements = [
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ == /g, " != "],
  [/ != /g, " == "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \+= /g, " -= "],
  [/ \* /g, " / "],
  [/(?<=\w|\)) \+ 1\b/g, ""],
  [/(?<=\w|\)) - 1\b/g, ""],
  [/(?<![\w:])std::min\b/g, "std::max"],
  [/(?<![\w:])std::max\b/g, "std::min"],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\bif \((?!constexpr)(?=[^;]*\))/g, "if (!"],
  [/(?<=[(,=] ?)0(?=[;,)])/g, "1"],
  [/(?<=[(,=] )1(?=[;,)])/g, "2"],
];

// A statement that can be left out and still compiles: a call or an assignment, all on one line.
const statement =
  /^\s*(?!return|using|const|auto|static|template|#|\/\/|break|continue|case)\S[^{}]*;$/;

const isCode = (line) =>
  line.trim() !== "" && !/^\s*(?:\/\/|#|namespace|using|template)/.test(line);

// The code of a line without its comment, and the comment.
function split(line) {
  const at = line.indexOf("//");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at)];
}

// `if (…)` negated: the parenthesis that was opened must be closed again.
function negated(code, at) {
  const open = code.indexOf("(", at);
  let depth = 0;
  for (let i = open; i < code.length; i += 1) {
    depth += code[i] === "(" ? 1 : code[i] === ")" ? -1 : 0;
    if (depth === 0)
      return `${code.slice(0, open)}(!(${code.slice(open + 1, i)}))${code.slice(i + 1)}`;
  }
  return undefined; // it goes on in the next line
}

/** All mutants of a text: `{ line, before, after, text }`, the line counted from 1. */
export function mutantsOf(text) {
  const lines = text.split("\n");
  const mutants = [];
  const add = (index, changed) => {
    const copy = [...lines];
    copy[index] = changed;
    mutants.push({
      line: index + 1,
      before: lines[index].trim(),
      after: changed.trim() || "(nothing)",
      text: copy.join("\n"),
    });
  };
  lines.forEach((line, index) => {
    if (!isCode(line)) return;
    const [code, comment] = split(line);
    for (const [pattern, replacement] of replacements) {
      for (const match of code.matchAll(pattern)) {
        const end = match.index + match[0].length;
        const changed = replacement.startsWith("if")
          ? negated(code, match.index)
          : code.slice(0, match.index) + replacement + code.slice(end);
        if (changed !== undefined) add(index, changed + comment);
      }
    }
    // A whole statement only: not the middle of one, nor a declaration that others need.
    const above = split(lines[index - 1] ?? "")[0].trim();
    if (statement.test(code.trimEnd()) && /(?:^|[;{}):])$/.test(above)) {
      add(index, above.endsWith(")") ? ";" : comment);
    }
  });
  return mutants;
}

// Mutants that no test can tell from the original, and why.
const equals = [];

/** Why a mutant is the same program, or undefined. */
export function equivalent(file, { before, after }) {
  return equals.find(
    (each) => file.endsWith(each.file) && each.before === before && each.after === after,
  )?.why;
}
