// Messages about a value have one form, `name: value (expected …)`, which only helpers write; and
// no code depends on the wording of a message.

import assert from "node:assert/strict";
import { test } from "node:test";
import { below, withoutComments } from "./tree.mjs";

const literal = /"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

const otherForms = new RegExp(
  [
    /[;,] allowed\b|\ballows: |\b(?:allowed|expected) (?:is|are)\b|\bknown are\b/,
    /\bmust be\b|是.*，应为/,
    /\}: expected\b|\}: there (?:is|are)\b|\}\? (?:It|The)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const handWritten = /\(expected |（应为/;
const helpers = [
  "src/status.h",
  "bindings/ts/wire/error.ts",
  "web/engine/both/failure.ts",
  "web/text/expected.ts",
  "scripts/setup/process.mjs",
];

test("the patterns find other forms, but not the one form", () => {
  for (const text of [
    "numHeads: 0; allowed is 1 to 256",
    "ids is empty; allowed: 1 and more",
    "shape [1]; expected is [2]",
    "scheme is unknown; known are rope, alibi",
    "base is 3, and must be one of 1, 2",
    "vocab_size is 2; task copy allows: 3 and more",
    "base 是 3，应为 1。",
    "`--rest {minutes}: expected the minutes`",
    "`--width {width}: there are 390, 1280`",
    "`{part}? The parts are wasm, web`",
  ])
    assert.match(text, otherForms);
  assert.doesNotMatch("numKvHeads: 3 (expected a divisor of numHeads, 8)", otherForms);
});

const sources = ["src", "bindings", "web", "scripts", "bench"].flatMap((folder) =>
  below(folder, ".cpp", ".h", ".ts", ".mjs"),
);

test("every message about a value is written by a helper, in the one form", () => {
  assert.ok(sources.length > 500);
  const wrong = sources.flatMap((file) => {
    const literals = withoutComments(file).match(literal) ?? [];
    return literals
      .filter(
        (text) => otherForms.test(text) || (handWritten.test(text) && !helpers.includes(file)),
      )
      .map((text) => `${file}: ${text}`);
  });
  assert.deepEqual(wrong, []);
});

const branch = new RegExp(
  [
    /\bmessage\)?\??\.(?:startsWith|endsWith|includes|indexOf|match|search)\(/,
    /\.test\((?:[\w.?]+\.)?message(?:Of\(\w+\))?\)|\bmessage (?:===|!==) [^u]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Messages of JavaScript engines, whose errors have no codes. */
const foreign = {
  "bindings/ts/wire/core.ts": 1,
  "bindings/ts/wire/error.ts": 1,
};

test("the pattern finds code that branches on a message", () => {
  for (const code of [
    'message.startsWith("dtype")',
    "cause.message.includes(word)",
    "/x/.test(cause.message)",
    "/x/.test(messageOf(cause))",
    'error.message === "x"',
  ])
    assert.equal(code.match(branch)?.length, 1, code);
});

test("no code branches on a message of this project", () => {
  const found = Object.fromEntries(
    sources.flatMap((file) => {
      const count = withoutComments(file).match(branch)?.length;
      return file.endsWith("ts") && count ? [[file, count]] : [];
    }),
  );
  assert.deepEqual(found, foreign);
});
