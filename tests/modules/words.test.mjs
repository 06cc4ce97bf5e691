// Texts of the figures: names of terms, captions, letters with an index.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

const { load } = await import("../../dist/index.js");

let sources;
let wf;
before(async () => {
  sources = await openSources();
  wf = await load();
});
after(() => sources.close());

test("every term that a scheme may add has a name in both languages", async () => {
  for (const language of ["en", "zh"]) {
    const { sharedWords } = await sources.load("/figures/shared/figure/words.ts");
    const { names } = sharedWords[language].terms;
    const missing = wf.schemes.flatMap(({ id, terms }) =>
      terms.filter((term) => !(term in names)).map((term) => `${id}: ${term}`),
    );
    assert.deepEqual(missing, [], language);
  }
});

test("every option of a scheme has a name in both languages, and no name is unused", async () => {
  const { optionNames } = await sources.load("/figures/scheme-gallery/option-words.ts");
  const { nameOfOption } = await sources.load("/figures/scheme-gallery/option-name.ts");
  const all = wf.schemes.flatMap(({ id, options }) => options.map(({ key }) => [id, key]));
  assert.ok(all.length > 60);
  for (const language of ["en", "zh"]) {
    const names = optionNames[language];
    const missing = all.filter(([id, key]) => !nameOfOption(language, id, key));
    assert.deepEqual(missing, [], language);
    const used = new Set(all.flatMap(([id, key]) => [key, `${id}.${key}`]));
    const over = Object.keys(names).filter((name) => !used.has(name));
    assert.deepEqual(over, [], language);
  }
});

test("captions break by the rules of their language, and every line fits", async () => {
  const { linesOf } = await sources.load("/figures/shared/pictures/captions.ts");
  const measure = (text, size) =>
    [...text].reduce((sum, sign) => sum + (sign > "\u2e7f" ? size : size / 2), 0);
  const latin = "7 × 7 cells, seen from the framed one, a map for each head";
  const han = "7 × 7 个格子，从加框的那一格看出去，每个头一张图";
  for (const text of [latin, han]) {
    const lines = linesOf(text, 150, measure);
    assert.ok(lines.length > 1);
    assert.ok(lines.every((line) => measure(line, 12) <= 150 + 12));
    assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
    assert.ok(lines.every((line) => !/^[，。]/.test(line)));
  }
  // An opening bracket moves to the next line with the word after it.
  assert.deepEqual(linesOf("位置编码（缩写）", 62, measure), ["位置编码", "（缩写）"]);
  assert.deepEqual(linesOf(latin, 1000, measure), [latin]);
});

test("letters with an index are typeset as such, names of options are not", async () => {
  const { inline } = await sources.load("/text/inline.ts");
  const flat = (text) =>
    inline(text)
      .map((part) =>
        typeof part === "string"
          ? part
          : part.strings.reduce((sum, piece, index) => sum + part.values[index - 1] + piece),
      )
      .join("");
  assert.equal(flat("W^UK and d_c"), "W<sup>UK</sup> and d<sub>c</sub>");
  assert.equal(flat("θ^(−2(2t + 1)/d)。"), "θ<sup>−2(2t + 1)/d</sup>。");
  assert.equal(flat("`pos_att_type`, d_R/2"), "<code>pos_att_type</code>, d<sub>R</sub>/2");
  assert.equal(flat("snake_case a_bc"), "snake_case a_bc");
});
