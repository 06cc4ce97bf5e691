// Checks the schemes' pages: every registered scheme has both, every option has help in both
// languages, the committed JSON matches the pages, and faults of a page are reported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  languages,
  optionKeys,
  parsePage,
  readWords,
  registeredSchemes,
  wordsPath,
} from "../../scripts/words.mjs";

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path) => readFileSync(file(path), "utf8");
const committed = Object.fromEntries(
  languages.map((language) => [language, JSON.parse(readFileSync(wordsPath(language), "utf8"))]),
);
const everyKey =
  "title summary formula symbols logit pitfalls cost extrapolation users sources".split(" ");
const ids = registeredSchemes(read("src/schemes/registry.cpp"));

test("the list of schemes is found in the registry", () => {
  assert.ok(ids.includes("nope") && ids.includes("rope") && ids.includes("alibi"), `${ids}`);
  assert.equal(new Set(ids).size, ids.length);
});

test("the committed JSON matches the pages", () => {
  const script = file("scripts/words.mjs");
  const run = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
});

for (const language of languages) {
  test(`${language}: every registered scheme has a page, and nothing else has one`, () => {
    assert.deepEqual(Object.keys(committed[language]), ids);
  });

  for (const id of ids) {
    test(`${language}: the page of ${id} is complete`, () => {
      const words = committed[language][id];
      assert.ok(words, `${id} has no page`);
      for (const key of everyKey) assert.ok(words[key].length > 0, `${key} is empty`);
      assert.match(
        words.sources.join(),
        /\[arXiv:(\d{4}\.\d{5})\]\(https:\/\/arxiv\.org\/abs\/\1\)/,
      );
    });

    test(`${language}: every option of ${id} has help`, () => {
      const source = read(`src/schemes/${id}.cpp`);
      const keys = optionKeys(source, (header) => read(`src/${header}`));
      if (/k(?:Own)?Options\[\]/.test(source)) assert.ok(keys.length > 0, "no options were found");
      assert.deepEqual(Object.keys(committed[language][id].options).sort(), [...keys].sort());
      for (const key of keys) assert.ok(committed[language][id].options[key].length > 0, key);
    });
  }
}

const page = { en: read("docs/schemes/rope.en.md"), zh: read("docs/schemes/rope.zh.md") };

/** Asserts that a page has no fault, and exactly the expected one after a replacement. */
function assertFault(language, from, to, expected) {
  assert.ok(page[language].includes(from), `"${from}" is not in the page`);
  assert.deepEqual(parsePage(page[language], language).faults, []);
  const { faults } = parsePage(page[language].replace(from, to), language);
  assert.match(faults.join("\n"), expected);
}

test("a page with another form is refused", () => {
  assertFault("en", "## Cost\n", "", /section "## Cost" is missing/);
  assertFault("en", "## Cost\n", "## Costs\n", /section "## Costs" is unknown/);
  assertFault("en", "\n> ", "\n", /no summary/);
  assertFault("en", "```math", "```", /no ```math block/);
  assertFault("en", "- `ropeTheta`: ", "- ropeTheta: ", /item is not/);
  assertFault("en", "- `interleaved`: ", "- `ropeTheta`: ", /ropeTheta appears twice/);
  assertFault("zh", "## 开销\n", "", /section "## 开销" is missing/);
});

test("Chinese typography is checked", () => {
  assertFault("zh", "，", ",", /half-width mark/);
  assertFault("zh", "θ 是", "θ是", /no space/);
  assertFault("zh", "没有参数。", "没有 参数。", /space between Chinese/);
  assertFault("zh", "没有参数。", "没有参数。 ", /beside a full-width mark/);
});

test("pages are compared with the registry and with each other", (context) => {
  const tree = mkdtempSync(join(tmpdir(), "whereformer-words-"));
  context.after(() => rmSync(tree, { recursive: true }));
  for (const folder of ["docs/schemes", "src/schemes"])
    cpSync(file(folder), join(tree, folder), { recursive: true });
  assert.deepEqual(readWords(tree).faults, []);

  rmSync(join(tree, "docs/schemes/nope.zh.md"));
  writeFileSync(join(tree, "docs/schemes/compass.en.md"), page.en);
  const help = page.en.match(/- `partialRotaryFactor`.*\n/)[0];
  writeFileSync(join(tree, "docs/schemes/rope.en.md"), page.en.replace(help, ""));
  writeFileSync(
    join(tree, "docs/schemes/rope.zh.md"),
    page.zh.replace("2104.09864)", "1706.03762)"),
  );
  assert.deepEqual(readWords(tree).faults.sort(), [
    "docs/schemes/compass.en.md: no scheme compass is registered",
    "docs/schemes/nope.zh.md is missing",
    "docs/schemes/rope.*.md: the two languages link to different sources",
    "docs/schemes/rope.en.md: option partialRotaryFactor has no help",
  ]);
});

test("a formula is the same in both languages", () => {
  for (const id of ids) assert.equal(committed.en[id].formula, committed.zh[id].formula, id);
});

test("options that schemes share are read from the header that declares them", () => {
  const headers = {
    "schemes/outer.h": '#include "schemes/inner.h"',
    "schemes/inner.h": 'Option kShared[] = {{.key = "group.b"}, {.key = "c"}};',
  };
  const source = '#include "schemes/outer.h"\n{.key = "a"}; joined(kBaseOptions, kShared);';
  assert.deepEqual(
    optionKeys(source, (header) => headers[header]),
    ["a", "group.b", "c"],
  );
  assert.ok(committed.en.rope.options["ropeScaling.ropeType"].length > 0);
});

test("options that functions create are found, with keys in the same file or in a header", () => {
  const header = `constexpr Option base_option(double base = 2) {
    return {.key = "base", .default_value = base};
  }`;
  const source = `#include "schemes/shared.h"
    constexpr Option side_option(const char* key) { return {.key = key}; }
    constexpr Option kOptions[] = {base_option(), side_option("left"), {.key = "right"}};`;
  assert.deepEqual(
    optionKeys(source, () => header),
    ["base", "left", "right"],
  );
  assert.deepEqual(optionKeys(source), ["left", "right"]);
});

test("options are read from C++", () => {
  assert.deepEqual(optionKeys('{.key = "a", .config_key = "b"}, {.key="c"}'), ["a", "c"]);
  assert.deepEqual(
    registeredSchemes("#define WF_SCHEMES(X) \\\n  X(one) \\\n  X(two)\n\nX(three)"),
    ["one", "two"],
  );
});
