// The tests that the words after `npm test --` choose.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  bundles,
  longRunners,
  runners,
  runnersOf,
  testFiles,
} from "../../scripts/test/runners.mjs";
import { filesNamed, nearNames, readWords } from "../../scripts/test/select.mjs";

const files = [
  "tests/core/attention/attention_test.cpp",
  "tests/core/attention/surgery_test.cpp",
  "tests/core/model/surgery_test.cpp",
  "tests/core/schemes/alibi_test.cpp",
  "tests/package/attention-rules.test.mjs",
  "tests/package/attention.test.mjs",
  "tests/web/surgery.test.mjs",
];
const known = { runnerNames: ["simd", "web", "engines"], bundles: { all: ["simd", "web"] }, files };
const read = (...words) => readWords(words, known);

test("a path, with or without ./, chooses one file", () => {
  assert.deepEqual(filesNamed("tests/web/surgery.test.mjs", files), ["tests/web/surgery.test.mjs"]);
  assert.deepEqual(filesNamed("./tests/core/schemes/alibi_test.cpp", files), [files[3]]);
});

test("a folder chooses all files below it", () => {
  assert.deepEqual(filesNamed("tests/core/attention/", files), files.slice(0, 2));
});

test("a whole name chooses the files of that name, of every kind, but no longer names", () => {
  assert.deepEqual(filesNamed("attention", files), [files[0], files[5]]);
  assert.deepEqual(filesNamed("surgery", files), [files[1], files[2], files[6]]);
  assert.deepEqual(filesNamed("alibi_test.cpp", files), [files[3]]);
});

test("a part of a name chooses every file that has it; a part of a path is tried last", () => {
  assert.deepEqual(filesNamed("rules", files), [files[4]]);
  assert.deepEqual(filesNamed("model/sur", files), [files[2]]);
  assert.deepEqual(filesNamed("nothing", files), []);
});

test("a name chooses a runner first; bundles are expanded; nothing is chosen twice", () => {
  assert.deepEqual(read("web", "all", "alibi", "alibi_test"), {
    long: false,
    rest: undefined,
    runners: ["web", "simd"],
    files: [files[3]],
    extra: [],
  });
});

test("without names nothing is chosen, which means all tests", () => {
  const none = { rest: undefined, runners: [], files: [], extra: [] };
  assert.deepEqual(read("--long"), { ...none, long: true });
});

test("--rest needs a number of minutes and nothing else", () => {
  assert.equal(read("--rest", "8").rest, 8);
  for (const words of [["--rest"], ["--rest", "0"], ["--rest", "web"]])
    assert.throws(() => read(...words), /--rest: .* \(expected a number of minutes/);
});

test("words after a second -- go to the runner, even if they look like our options", () => {
  const { runners: chosen, extra, long } = read("simd", "--", "--long", "-tc=cache*");
  assert.deepEqual([chosen, extra, long], [["simd"], ["--long", "-tc=cache*"], false]);
});

test("an unknown name is refused with suggestions of similar names", () => {
  assert.throws(() => read("alibbi"), /called alibbi\. Near it: alibi\..*\n.*simd, web, engines/);
  assert.throws(() => read("tests/package/atention.test.mjs"), /Near it: attention[.,]/);
  assert.throws(() => read("zzzzzzzzzzzz"), /called zzzzzzzzzzzz\.\n/);
  assert.throws(() => read("--test-name-pattern=x"), /come after --/);
});

test("similar names are sorted by distance, each once", () => {
  assert.deepEqual(nearNames("rop", ["rope", "rope", "rope_2d", "top", "kerple"]), ["rope", "top"]);
});

test("the engine with threads is built for whole runners, and for files that may use it", () => {
  const asks = (...files) =>
    runnersOf(files.map((name) => `tests/${name}.test.mjs`)).some(({ needs }) => needs.threads);
  for (const name of ["package/threads", "package/guides", "package/source-maps", "package/size"])
    assert.ok(asks(name), name);
  assert.ok(asks("package/products", "package/threads"));
  for (const name of ["package/products", "package/schemes", "web/costs", "layout/names"])
    assert.ok(!asks(name), name);
  for (const name of ["package", "modules", "web"]) assert.ok(runners[name].needs.threads, name);
});

test("every test file has exactly one runner, and every runner of a bundle exists", () => {
  const all = testFiles();
  assert.ok(all.length > 50);
  for (const file of all) {
    const chosen = runnersOf([file]);
    assert.equal(chosen.length, 1, file);
    assert.ok([chosen[0].files, chosen[0].command].flat().join(" ").includes(file), file);
    assert.ok(existsSync(join(import.meta.dirname, "../..", file)));
  }
  const known = { ...runners, ...longRunners };
  for (const name of Object.values(bundles).flat()) assert.ok(name in known, name);
});
