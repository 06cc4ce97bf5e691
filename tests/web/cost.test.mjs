// What the open scheme of the gallery costs and promises: the engine's numbers, in words of both languages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { follow, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";
import { openSources } from "./modules.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

const portrait = "wf-scheme-portrait";
/** Options as the address has them. */
const written = (options) =>
  Object.entries(options)
    .map(([key, value]) => `${key}:${value}`)
    .join(";");
const sizes = { tokens: 2048, numHeads: 12, headDim: 64, numLayers: 12 };

let session;
let reader;
let sources;
let wf;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
  sources = await openSources();
  wf = await load();
});
after(async () => {
  await sources.close();
  await session.close();
});

/** What is written under the formula of a scheme, and its answer. One page follows link after link. */
async function readCost(language, scheme, options = "") {
  const { page } = reader;
  await follow(page, fragment(language, `&g=${scheme}&go=${options}`));
  await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), language);
  await numbersOf(page, "wf-scheme-gallery");
  const { cost } = await numbersOf(
    page,
    portrait,
    (data) => data.scheme === scheme && written(data.options) === options,
  );
  const part = (name) => page.locator(`${portrait} ${name}`);
  const said = async (name) => (await part(name).textContent()).trim().replaceAll("\u00a0", " ");
  return {
    cost,
    written: {
      parameters: await said(".cost .parameters dd"),
      operations: await said(".cost .operations dd"),
      cache: await said(".cost .cache dd"),
      sizes: await said(".sizes"),
      claims: await part(".claims li").allTextContents(),
    },
  };
}

function costByEngine(id, options = {}, { numHeads, headDim } = sizes) {
  const scheme = wf.scheme(id, { numHeads, headDim, ...options });
  const cost = scheme.cost({ queries: sizes.tokens, width: numHeads * headDim });
  scheme.dispose();
  return cost;
}

test("they are written in words of both languages", async () => {
  const english = (await readCost("en", "transformer_xl")).written;
  assert.equal(english.parameters, "7,079,424");
  assert.equal(english.operations, "24.2 billion a layer, 187.5 % of attention’s own");
  assert.equal(english.cache, "6,144 bytes a token and layer");
  assert.equal(english.sizes, "2,048 tokens, 12 heads of 64 channels, 12 layers");
  const chinese = (await readCost("zh", "transformer_xl")).written;
  assert.equal(chinese.parameters, "7,079,424 个");
  assert.equal(chinese.operations, "每层 242 亿次，相当于注意力本身的 187.5 %");
  assert.equal(chinese.cache, "每层每个词元 6,144 字节");
  const whole = (await readCost("en", "swin")).written;
  assert.equal(whole.cache, "not in use", "a scheme that does not decode fills no cache");
  const bare = (await readCost("en", "nope")).written;
  assert.deepEqual([bare.parameters, bare.operations], ["none", "none"]);
  const added = (await readCost("en", "learned")).written;
  assert.deepEqual([added.parameters, added.operations], ["393,216", "1.57 million, once"]);
});

test("options change the costs; those made for the gallery's heads are counted at its sizes", async () => {
  const short = await readCost("en", "learned", "maxPositions:100");
  assert.equal(short.written.parameters, "76,800");
  // Eight pairs in all: heads of 64 channels would refuse them.
  const options = { sectionTime: 4, sectionRow: 2, sectionColumn: 2 };
  const small = await readCost("en", "mrope", written(options));
  const own = costByEngine("mrope", options, { numHeads: 4, headDim: 16 });
  assert.equal(small.cost.layerFlops, own.layerFlops);
  assert.equal(small.cost.cacheBytes, 4 * own.cacheFloats);
  assert.match(small.written.sizes, /4 heads of 16 channels/);
});

test("what a scheme promises is what its description says", async () => {
  for (const id of ["rope", "swin", "sinusoidal"]) {
    const { claims } = wf.schemes.find((scheme) => scheme.id === id);
    for (const language of ["en", "zh"]) {
      const text = (await sources.load(`/text/${language}.ts`))[language].gallery;
      const { written } = await readCost(language, id);
      const expected = Object.entries(claims).map(
        ([name, holds]) => `${holds ? "✓" : "✗"} ${text.claims[name]}${text.holds(holds)}`,
      );
      assert.deepEqual(written.claims, expected);
    }
  }
});

test("every term that a scheme may add has a name in both languages", async () => {
  for (const language of ["en", "zh"]) {
    const { names } = (await sources.load(`/text/${language}.ts`))[language].terms;
    const missing = wf.schemes.flatMap(({ id, terms }) =>
      terms.filter((term) => !(term in names)).map((term) => `${id}: ${term}`),
    );
    assert.deepEqual(missing, [], language);
  }
});

test("captions break where their language breaks, and every line fits", async () => {
  const { linesOf } = await sources.load("/figures/shared/captions.ts");
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
  assert.deepEqual(linesOf(latin, 1000, measure), [latin]);
});

test("letters with an index are set as such, names of options are not", async () => {
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
