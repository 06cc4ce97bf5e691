// The mutants of a C++ file: the text with one typical fault, for each place where it can occur.

// Code to find, and its replacement, on one line. Operators are surrounded by spaces, as the
// formatter writes them, so templates and pointers are not mistaken for comparisons and products.
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

// A statement that can be removed and still compiles: a call or an assignment, all on one line.
const statement =
  /^\s*(?!return|using|const|auto|static|template|#|\/\/|break|continue|case)\S[^{}]*;$/;

const isCode = (line) =>
  line.trim() !== "" && !/^\s*(?:\/\/|#|namespace|using|template)/.test(line);

// The code of a line without its comment, and the comment.
function split(line) {
  const at = line.indexOf("//");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at)];
}

// Negates `if (…)`: the condition must end on this line.
function negated(code, at) {
  const open = code.indexOf("(", at);
  let depth = 0;
  for (let i = open; i < code.length; i += 1) {
    depth += code[i] === "(" ? 1 : code[i] === ")" ? -1 : 0;
    if (depth === 0)
      return `${code.slice(0, open)}(!(${code.slice(open + 1, i)}))${code.slice(i + 1)}`;
  }
  return undefined; // return undefined; // it continues on the next line
}

/** All mutants of a text: `{ line, before, after, text }`, with lines counted from 1. */
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
    // Only a whole statement: not the middle of one, nor a declaration that others need.
    const above = split(lines[index - 1] ?? "")[0].trim();
    if (statement.test(code.trimEnd()) && /(?:^|[;{}):])$/.test(above)) {
      add(index, above.endsWith(")") ? ";" : comment);
    }
  });
  return mutants;
}

// Mutants that no test can tell from the original, and why.
const equals = [
  {
    file: "tile_logits.cpp",
    before: "if (item.has(kHookBias) && item.scheme->traversal().reads_content) return true;",
    after: "if (item.has(kHookBias) || item.scheme->traversal().reads_content) return true;",
    why: "slower, with the same numbers",
  },
  ...[
    "for (const LayerScheme& item : call.schemes) working -= item.has(kHookBias);",
    "(nothing)",
  ].map((after) => ({
    file: "tile_logits.cpp",
    before: "for (const LayerScheme& item : call.schemes) working += item.has(kHookBias);",
    after,
    why: "what a scheme had kept is made again, with the same numbers",
  })),
  {
    file: "tile_logits.cpp",
    before: "if (!reads_content(call.schemes)) return whole;",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "return false;",
    after: "return true;",
    why: "slower, with the same numbers",
  },
  {
    file: "mask.cpp",
    before: "if (window < seen.end - query) seen.end = query + window;",
    after: "if (window <= seen.end - query) seen.end = query + window;",
    why: "where both are equal, so are the results",
  },
  {
    file: "mask.cpp",
    before: "if (given.present() || query_segments || key_segments) return false;",
    after: "if (given.present() || query_segments && key_segments) return false;",
    why: "a call has both lists of segments or none",
  },
  {
    file: "mask.cpp",
    before: "if (query_segments && key_segments)",
    after: "if (query_segments || key_segments)",
    why: "a call has both lists of segments or none",
  },
  {
    file: "key_tiles.cpp",
    before: "count(end > begin ? (end - begin + kBlockColumns - 1) / kBlockColumns : 0),",
    after: "count(end >= begin ? (end - begin + kBlockColumns - 1) / kBlockColumns : 0),",
    why: "of no keys both make no tile",
  },
  {
    file: "key_tiles.cpp",
    before: "count(end > begin ? (end - begin + kBlockColumns - 1) / kBlockColumns : 0),",
    after: "count(end > begin ? (end - begin + kBlockColumns) / kBlockColumns : 0),",
    why: "a tile without keys adds nothing",
  },
  {
    file: "key_tiles.h",
    before: "return left < kBlockColumns ? left : kBlockColumns;",
    after: "return left <= kBlockColumns ? left : kBlockColumns;",
    why: "where both are equal, so are the results",
  },
  {
    file: "tile_logits.cpp",
    before: "for (int i = 0; i < tile.rows; ++i)",
    after: "for (int i = 0; i <= tile.rows; ++i)",
    why: "the row past a tile's last is memory that is filled before it is read",
  },
  {
    file: "tile_logits.cpp",
    before: "int total = 0;",
    after: "int total = 1;",
    why: "more memory is taken than is used",
  },
  {
    file: "tile_logits.cpp",
    before: "int max = 0;",
    after: "int max = 1;",
    why: "more memory is taken than is used",
  },
  {
    file: "running_softmax.cpp",
    before: "int width = 0;",
    after: "int width = 1;",
    why: "more memory is taken than is used",
  },
  {
    file: "tile_logits.cpp",
    before: "std::ptrdiff_t{kBlockRows} * call.schemes.items[i].scheme->traversal().carry_floats;",
    after: "std::ptrdiff_t{kBlockRows} / call.schemes.items[i].scheme->traversal().carry_floats;",
    why: "the one scheme that carries carries one number",
  },
  {
    file: "tile_logits.cpp",
    before: "int working = 0;  // the schemes share one scratch memory",
    after: "int working = 1;  // the schemes share one scratch memory",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "work.q_strips = scratch.operands.query_strips();",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "work.kept = working == 1 ? scratch.work_kept : WorkKept::kNothing;",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "if (working > 1) work.offsets = nullptr;",
    after: "if (working >= 1) work.offsets = nullptr;",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "if (!call.schemes.any(kHookBias)) return;",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "given.work = &work;",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "tile_logits.cpp",
    before: "scratch.work_kept = WorkKept::kOfBlock;",
    after: "(nothing)",
    why: "slower, with the same numbers",
  },
  {
    file: "running_softmax.cpp",
    before: "maximum_[row] - next < simd::kMinExponent ? 0.0f : std::exp(maximum_[row] - next);",
    after: "maximum_[row] - next <= simd::kMinExponent ? 0.0f : std::exp(maximum_[row] - next);",
    why: "at the limit the factor is nothing beside 1",
  },
  {
    file: "kv_cache.cpp",
    before: "const int a = length < length_ ? i : axes - 1 - i;",
    after: "const int a = length <= length_ ? i : axes - 1 - i;",
    why: "at the same length every axis stays where it is",
  },
  {
    file: "kv_cache.cpp",
    before: "WF_RETURN_IF_ERROR(schemes.check_projections());",
    after: "(nothing)",
    why: "attention_forward refuses it too, and what was appended is taken back",
  },
  {
    file: "kv_cache.cpp",
    before: 'WF_RETURN_IF_ERROR(schemes.check_axes("positions", positions));',
    after: "(nothing)",
    why: "attention_forward refuses it too, and what was appended is taken back",
  },
  {
    file: "prepared_layer.cpp",
    before: "std::size_t total = 0;",
    after: "std::size_t total = 1;",
    why: "parameters are compared once more than they need to be",
  },
  {
    file: "prepared_layer.cpp",
    before: "bool same = false;",
    after: "bool same = true;",
    why: "what is compared says it",
  },
];

/** The reason why a mutant is the same program, or undefined. */
export function equivalent(file, { before, after }) {
  return equals.find(
    (each) => file.endsWith(each.file) && each.before === before && each.after === after,
  )?.why;
}
