// The committed results of `npm run extension`, as the page reads them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../../models/${name}.json`, import.meta.url)));
const [file, searched] = [read("extension"), read("longrope")];

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("every method and length of the file is found, others are undefined", async () => {
  const { readExtension } = await sources.load("/engine/page/extension-results.ts");
  const results = readExtension(file);
  assert.deepEqual([results.length, results.multiples], [128, [2, 4, 8, 16]]);
  const known = results.methods;
  assert.deepEqual(known, ["none", "linear", "ntk", "by_parts", "yarn", "llama3"]);
  for (const method of known)
    for (const multiple of results.multiples)
      for (const language of ["en", "zh"]) {
        const { bitsPerToken, byPosition } = results.scoreOf(method, multiple, language);
        assert.equal(byPosition.length, multiple);
        const mean = byPosition.reduce((sum, value) => sum + value, 0) / multiple;
        // The last window of the text is incomplete, so the weights of positions differ slightly.
        assert.ok(Math.abs(mean - bitsPerToken) < 0.01, `${method} ${multiple} ${mean}`);
      }
  // LongRoPE's results are a separate file, which a copy of the models may lack.
  assert.equal(results.scoreOf("longrope", 2, "en"), undefined);
  const both = readExtension(file, searched);
  assert.deepEqual(both.methods, [...known, "longrope"]);
  assert.equal(both.scoreOf("longrope", 8, "zh").byPosition.length, 8);
  assert.equal(both.divisorsFor(8).length, 16);
  assert.equal(results.divisorsFor(8), undefined);
  assert.equal(results.scoreOf("none", 3, "en"), undefined);
  assert.ok(results.scoreOf("none", 1, "zh").bitsPerToken > 0);
});

test("the article's statements about the curves follow from the file", async () => {
  const { readExtension } = await sources.load("/engine/page/extension-results.ts");
  const results = readExtension(file);
  const own = (language) => results.scoreOf("none", 1, language).bitsPerToken;
  for (const language of ["en", "zh"]) {
    const plain = results.scoreOf("none", 8, language).byPosition;
    assert.ok(plain.at(-1) > plain[0] + 1, "without a method the loss does not rise");
    const squeezed = results.scoreOf("linear", 8, language).byPosition;
    assert.ok(
      squeezed[0] > own(language) + 0.5,
      "interpolation does not cost more from the first token on",
    );
    const range = Math.max(...squeezed) - Math.min(...squeezed);
    assert.ok(range < 0.5, `interpolation is not level: ${range}`);
  }
  for (const multiple of [4, 8, 16])
    for (const method of results.methods)
      assert.ok(results.scoreOf(method, multiple, "zh").bitsPerToken > own("zh") + 1, method);
});

test("the article's statements about LongRoPE follow from its file", async () => {
  const { readExtension } = await sources.load("/engine/page/extension-results.ts");
  const results = readExtension(file, searched);
  const score = (method, multiple, language) =>
    results.scoreOf(method, multiple, language).bitsPerToken;
  for (const multiple of results.multiples) {
    const others = results.methods.filter((method) => method !== "longrope");
    for (const method of others)
      assert.ok(score("longrope", multiple, "zh") < score(method, multiple, "zh"), method);
    assert.ok(searched.results[multiple].tried > 200);
    const { divisors } = searched.results[multiple];
    assert.ok(divisors.every((divisor, at) => at === 0 || divisor >= divisors[at - 1]));
    assert.ok(divisors[0] >= 1 && divisors.at(-1) <= 1.25 * multiple);
  }
  const cost = (language) => score("longrope", 2, language) - score("none", 1, language);
  assert.equal(cost("en").toFixed(2), "0.00");
  assert.equal(cost("zh").toFixed(2), "0.04");
  for (const multiple of [4, 8])
    assert.ok(score("yarn", multiple, "en") < score("longrope", multiple, "en"));
});

test("the caption names the method with the worst first stretch, if any is worse", async () => {
  const { readExtension } = await sources.load("/engine/page/extension-results.ts");
  const { captionOf } = await sources.load("/figures/longer-reading/caption.ts");
  const { longerWords } = await sources.load("/figures/longer-reading/words.ts");
  const results = readExtension(file);
  const say = (methods) =>
    captionOf({
      words: longerWords.en,
      joiner: ", ",
      multiple: 8,
      trained: results.scoreOf("none", 1, "en").bitsPerToken,
      plain: results.scoreOf("none", 8, "en").bitsPerToken,
      scores: methods.map((method) => ({ method, score: results.scoreOf(method, 8, "en") })),
      here: undefined,
    });
  assert.match(say(["none", "linear", "yarn"]), /PI \(linear\) reads it at 6\.18/);
  const both = /nothing changed, 5\.91 on average over the whole text\. Stretched.*: PI .* 6\.10/;
  assert.match(say(["none", "linear"]), both);
  assert.doesNotMatch(say(["none"]), /first stretch|Stretched/);
});
