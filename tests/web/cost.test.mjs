// The costs and claims of the gallery's open scheme: the engine's numbers, worded in both
// languages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSources } from "../modules/sources.mjs";
import { follow, fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const home = pathOfFigure("wf-scheme-gallery");

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

const portrait = "wf-scheme-portrait";
/** Writes options in the form of the address. */
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
  reader = await openPage(session, { path: home });
  sources = await openSources();
  wf = await load();
});
after(async () => {
  await sources.close();
  await session.close();
});

/**
 * Returns a scheme's costs, and their text under its formula, from the page that all tests share.
 */
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

test("costs are worded in both languages", async () => {
  const english = (await readCost("en", "transformer_xl")).written;
  assert.equal(english.parameters, "7,079,424");
  assert.equal(english.operations, "24.2 billion a layer, 187.5% of attention’s own");
  assert.equal(english.cache, "6,144 bytes a token and layer, in float32");
  assert.equal(english.sizes, "2,048 tokens, 12 heads of 64 channels, 12 layers");
  const chinese = (await readCost("zh", "transformer_xl")).written;
  assert.equal(chinese.parameters, "7,079,424 个");
  assert.equal(chinese.operations, "每层 242 亿次，相当于注意力本身的 187.5%");
  assert.equal(chinese.cache, "每层每个词元 6,144 字节（float32）");
  const whole = (await readCost("en", "swin")).written;
  assert.equal(whole.cache, "not in use", "a scheme that cannot decode has a cache");
  const bare = (await readCost("en", "nope")).written;
  assert.deepEqual([bare.parameters, bare.operations], ["none", "none"]);
  const added = (await readCost("en", "learned")).written;
  assert.deepEqual([added.parameters, added.operations], ["393,216", "1.57 million, once"]);
});

test("options change the costs; some only fit the sizes of the gallery's heads", async () => {
  const short = await readCost("en", "learned", "maxPositions:100");
  assert.equal(short.written.parameters, "76,800");
  // Options for eight pairs, which only fit the gallery's heads of 16 channels.
  const options = { sectionTime: 4, sectionRow: 2, sectionColumn: 2 };
  const small = await readCost("en", "mrope", written(options));
  const own = costByEngine("mrope", options, { numHeads: 4, headDim: 16 });
  assert.equal(small.cost.layerFlops, own.layerFlops);
  assert.equal(small.cost.cacheBytes, 4 * own.cacheFloats);
  assert.match(small.written.sizes, /4 heads of 16 channels/);
});

test("a scheme's claims match its description and the engine at large positions", async () => {
  const endless = { rope: true, swin: false, sinusoidal: true };
  for (const id of Object.keys(endless)) {
    const { claims } = wf.schemes.find((scheme) => scheme.id === id);
    for (const language of ["en", "zh"]) {
      const { galleryWords } = await sources.load("/figures/scheme-gallery/words.ts");
      const text = galleryWords[language];
      const { written } = await readCost(language, id);
      const line = (said, holds) => `${holds ? "✓" : "✗"} ${said}${text.holds(holds)}`;
      const expected = [
        ...Object.entries(text.claims).map(([name, said]) => line(said, claims[name])),
        line(text.endless, endless[id]),
      ];
      assert.deepEqual(written.claims, expected);
    }
  }
});
