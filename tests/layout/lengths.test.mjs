// Checks the lengths of lines, files and functions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cppFunctions, longFunctions } from "./functions.mjs";
import { below, files, textOf } from "./tree.mjs";

const maxColumns = 100;
const maxLines = 600;
const maxFunctionLines = 100;

const isGenerated = (file) => file.includes("/generated/");
const isSource = (file) => /\.(?:cpp|h|ts|mts|mjs|css|py)$/.test(file) && !isGenerated(file);
const linesOf = (file) => textOf(file).split("\n").length - 1;
const longer = (names, max) =>
  names
    .map((file) => ({ file, lines: linesOf(file) }))
    .filter(({ lines }) => lines > max)
    .sort((a, b) => b.lines - a.lines);

/** Lines over 100 columns, as `file:number: text`. */
const wideLines = (file) =>
  textOf(file)
    .split("\n")
    .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
    .filter(({ line }) => [...line].length > maxColumns)
    .map(({ line, at }) => `${at}: ${line.trim()}`);

test(`no line of C++, Python or CMake has more than ${maxColumns} columns`, () => {
  const checked = [
    ...files.filter((file) => /\.(?:cpp|h|py)$/.test(file)),
    ...files.filter((file) => file.endsWith("CMakeLists.txt")),
  ];
  assert.ok(checked.length > 100);
  assert.deepEqual(checked.flatMap(wideLines), []);
});

// The formatter breaks code, but not strings, templates and patterns. Texts in both languages have
// a line for each sentence, so that translations can be compared; code that figures show is written
// as the reader gets it.
const isOfWords = (file) =>
  /^web\/(?:text\/|.*(?:[/-]words|\/code)\.ts$)|^scripts\/build\/\w+\/words\.mjs$/.test(file);

test(`no line of a script, and no comment in styles or texts, exceeds ${maxColumns}`, () => {
  const checked = files.filter((file) => /\.(?:ts|mts|mjs|css)$/.test(file) && !isGenerated(file));
  assert.ok(checked.length > 100);
  const comment = /^\S+: (?:\/\/|\/?\*)/;
  const isFree = (file) => file.endsWith(".css") || isOfWords(file);
  assert.deepEqual(
    checked.flatMap((file) =>
      wideLines(file).filter((line) => !isFree(file) || comment.test(line)),
    ),
    [],
  );
});

test(`no source file is longer than ${maxLines} lines`, (context) => {
  const sources = files.filter((file) => isSource(file));
  for (const { file, lines } of longer(sources, 0).slice(0, 5))
    context.diagnostic(`${lines} lines: ${file}`);
  assert.deepEqual(longer(sources, maxLines), []);
});

test("functions of C++ are found in namespaces and types, and lambdas are part of them", () => {
  const code = `#define ADD(x) \\
  { x }
namespace wf {
namespace {
constexpr int kTable[] = {1, 2};
struct Pair : Base {
  int first = 0, second{1};
  int sum() const { return first + second; }
};
template <class Body>
void each(Body body) {
  const auto twice = [&] {
    body();
  };
  for (int i = 0; i < 3; ++i) {
    twice();
  }
}
}
int last(int x,
         int y) {
  return x;
}
}`;
  assert.deepEqual(cppFunctions(code), [
    { line: 8, lines: 1 },
    { line: 10, lines: 9 },
    { line: 20, lines: 4 },
  ]);
});

test(`no function is longer than ${maxFunctionLines} lines`, () => {
  const scripts = ["bindings", "bench", "scripts", "web"].flatMap((area) =>
    below(area, ".ts", ".mts", ".mjs"),
  );
  const sources = ["src", "bindings", "models", "bench"].flatMap((area) =>
    below(area, ".cpp", ".h"),
  );
  const checked = [...scripts, ...sources].filter((file) => !isGenerated(file));
  assert.ok(checked.length > 500);
  assert.deepEqual(
    checked.flatMap((file) => longFunctions(file, maxFunctionLines)),
    [],
  );
});

test("the interface for authors of schemes contains none of the core's internal shortcuts", () => {
  const read = ["description", "layer_context", "scheme"].map((name) => `src/schemes/${name}.h`);
  const tricks = /\bWorkKept\b|\bq_strips\b|\boffsets\b|\bMatmulScratch\b/;
  assert.deepEqual(
    [...read, "src/schemes/nope.cpp"].filter((file) => tricks.test(textOf(file))),
    [],
  );
});

test("no two test files have the same name", () => {
  const names = new Map();
  for (const file of files.filter((name) => /^tests\/.*(?:_test\.cpp|\.test\.mjs)$/.test(name))) {
    const name = file.split("/").at(-1);
    names.set(name, [...(names.get(name) ?? []), file]);
  }
  assert.deepEqual(
    [...names.values()].filter((list) => list.length > 1),
    [],
  );
});

test("comments can be understood without another comment", () => {
  const opening = /^\s*(?:\/\/|\/?\*\*?|#)\s*(?:The same\b|Likewise\b)/;
  const before = /[.;:]\s*$/;
  const found = ["src", "tests", "bindings", "models", "bench", "scripts", "web"]
    .flatMap((area) => below(area, ".cpp", ".h", ".py", ".ts", ".mjs", ".css"))
    .filter((file) => !isGenerated(file))
    .flatMap((file) =>
      textOf(file)
        .split("\n")
        .flatMap((line, index, all) => {
          const above = all[index - 1] ?? "";
          const goesOn = /^\s*(?:\/\/|\*|#)/.test(above) && !before.test(above);
          return opening.test(line) && !goesOn ? [`${file}:${index + 1}: ${line.trim()}`] : [];
        }),
    );
  assert.deepEqual(found, []);
});
