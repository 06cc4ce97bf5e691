// What the chooser says follows from what it is told, with results made up for it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { lengthFile } from "./length-file.mjs";
import { openSources } from "./sources.mjs";

const models = new URL("../../models/", import.meta.url);
const fileOf = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, models)));

let sources;
let rules;
let words;
let known;
before(async () => {
  sources = await openSources();
  rules = await sources.load("/figures/chooser/rules.ts");
  ({ chooserWords: words } = await sources.load("/figures/chooser/words.ts"));
  const { readResults } = await sources.load("/engine/page/length-results.ts");
  const { readExtension } = await sources.load("/engine/page/extension-results.ts");
  const { readImage } = await sources.load("/engine/page/image-results.ts");
  const row = (scheme, more = {}) => ({
    scheme,
    ...{ family: "relative", positionAxes: 1, isShiftInvariant: true, isBidirectional: true },
    ...{ decodes: true, ends: false, parameters: 0, share: 0, cacheBytes: 6144, ...more },
  });
  known = {
    rows: [
      row("nope", { family: "none", positionAxes: 0 }),
      row("learned", { ends: true }),
      row("rope"),
      row("alibi"),
      row("fire", { isBidirectional: false }),
      row("mla", { cacheBytes: 784 }),
      row("rope_2d", { positionAxes: 2, decodes: false }),
      row("swin", { positionAxes: 2, decodes: false, ends: true }),
      row("mrope", { positionAxes: 3 }),
    ],
    lengths: readResults(lengthFile),
    extension: readExtension(fileOf("extension")),
    images: readImage(fileOf("image")),
    language: "en",
    nameOf: (scheme) => scheme,
  };
});
after(() => sources.close());

const answers = (more = {}) => ({ what: 0, sees: 0, length: 0, cache: 0, start: 0, ...more });
const fits = (more) => rules.fitting(answers(more), known.rows).map(({ scheme }) => scheme);
const say = (more, changed = {}, language = "en") =>
  rules.followsFrom(answers(more), { ...known, ...changed }, words[language]);
const textOf = (lines) => lines.map(({ text }) => text).join("\n");

test("what fits is what the claims say, and nothing of a grid for a text", () => {
  assert.deepEqual(fits(), ["nope", "learned", "rope", "alibi", "fire", "mla"]);
  assert.deepEqual(fits({ length: 1 }), ["nope", "rope", "alibi", "fire", "mla"]);
  assert.deepEqual(fits({ sees: 1 }), ["learned", "rope", "alibi", "mla"]);
  assert.deepEqual(fits({ what: 1 }), ["rope_2d", "swin"]);
  assert.deepEqual(fits({ what: 1, length: 1 }), ["rope_2d"]);
});

test("at the same length the chooser says who is told apart, or that it does not matter", () => {
  // rope 1.8, learned and alibi 1.9, nope 2.0, each ± 0.1: all but none are within 0.2 of rope.
  const lines = say();
  assert.deepEqual(
    lines.map(({ source }) => source),
    ["claims", "length"],
  );
  assert.match(textOf(lines), /does not matter here.*the 4 .* between 1\.80 and 2\.00 .* by 0\.20/);
  const chinese = say({}, { language: "zh" });
  assert.match(
    textOf(chinese),
    /rope is first with 8\.00.*nope last with 8\.50.*but 3 of 4, rope among them,/,
  );
});

test("for longer texts it names the level ones and the one that rises most", () => {
  const text = textOf(say({ length: 1 }));
  // nope rises by just 0.20.
  assert.match(text, /At 4 times .* level, within the 0\.20 bits .*: (?:nope, )?alibi\./);
  assert.match(text, /rope rises most, by 1\.20 .* alibi is best there/);
  assert.doesNotMatch(text, /learned/);
});

test("a small cache is the latent one's, and no matter where nothing is cached", () => {
  assert.match(textOf(say({ cache: 1 })), /mla keeps 784 bytes .* the others keep 6,144/);
  assert.match(textOf(say({ cache: 1, sees: 1 })), /cache does not matter here/);
  const alike = known.rows.filter(({ scheme }) => scheme !== "mla");
  assert.match(textOf(say({ cache: 1 }, { rows: alike })), /no scheme changes the cache/);
});

test("a checkpoint keeps its scheme; longer, the way of stretching is the best measured", () => {
  assert.deepEqual(
    say({ start: 1 }).map(({ source }) => source),
    ["surgery", "claims"],
  );
  const { results } = fileOf("extension");
  const scores = Object.entries(results).flatMap(([method, scored]) =>
    scored[4] ? [[method, scored[4].en.bitsPerToken]] : [],
  );
  const [best, bits] = scores.sort((a, b) => a[1] - b[1])[0];
  assert.equal(best, "yarn");
  const text = textOf(say({ start: 1, length: 1 }));
  assert.ok(text.includes(`YaRN: ${bits.toFixed(2)} bits`), text);
  assert.ok(text.includes(results.none[4].en.bitsPerToken.toFixed(2)), text);
});

test("pictures: what was measured of grids stands beside a model without positions", () => {
  const text = textOf(say({ what: 1 }));
  const { results } = fileOf("image");
  const share = (scheme) => {
    const all = Object.values(results[scheme]).flatMap(({ picture_quadrant, picture_left }) => [
      picture_quadrant,
      picture_left,
    ]);
    return Math.round((100 * all.reduce((a, b) => a + b)) / all.length);
  };
  assert.ok(text.includes(`${share("swin")}% to ${share("rope_2d")}%`), text);
  assert.ok(text.includes(`without positions in ${share("nope")}%`), text);
});

test("without files nothing is said of what was measured", () => {
  const none = { lengths: undefined, extension: undefined, images: undefined };
  for (const more of [{}, { length: 1 }, { what: 1 }, { start: 1, length: 1 }])
    for (const { source } of say(more, none)) assert.match(source, /claims|surgery/);
});

test("rows are sorted by any column, both ways, and what is unknown comes last", async () => {
  const { sortRows } = await sources.load("/figures/shared/tables/sorted-table.ts");
  const cell = (value) => ({ text: String(value), value });
  const rows = [
    [cell("b"), cell(2)],
    [cell("a"), cell(undefined)],
    [cell("c"), cell(10)],
  ];
  const order = (column, isDown) =>
    sortRows(rows, { column, isDown })
      .map(([name]) => name.value)
      .join("");
  assert.deepEqual(
    [order(0, false), order(0, true), order(1, false), order(1, true)],
    ["abc", "cba", "bca", "cba"],
  );
});

test("a dot that would squeeze all others is a number at the edge; every ring shows", async () => {
  const { drawRanges } = await sources.load("/figures/chooser/picture.ts");
  const palette = { ink: "#000000", soft: "#000000", hair: "#000000", query: "#000000" };
  const drawn = (rows) => {
    const measure = (text) => 6 * text.length;
    const { marks } = drawRanges(rows, words.en)(600, palette, measure);
    const texts = marks.flatMap(({ text }) => (text ? [text] : []));
    const isRing = ({ d }) => d?.includes("a4 4");
    const rings = marks.filter(isRing).map(({ d }) => Number(/-?[\d.]+/.exec(d)[0]));
    return { texts, rings };
  };
  const close = [
    { name: "a", first: 1.9, far: 1.95 },
    { name: "b", first: 1.92, far: 2 },
  ];
  const none = drawn(close);
  assert.ok(!none.texts.some((text) => text.startsWith("→")), none.texts.join());
  assert.equal(none.rings.length, 4);
  const one = drawn([...close, { name: "c", first: 1.94, far: 3 }]);
  assert.ok(one.texts.includes("→ 3.00"), one.texts.join());
  assert.equal(one.rings.length, 5);
  // A ring has no such way out: the scale reaches it.
  for (const [row, rings] of [
    [{ name: "d", first: 3, far: 3.1 }, 6],
    [{ name: "e", first: 3, far: undefined }, 5],
  ]) {
    const shown = drawn([...close, row]);
    assert.equal(shown.rings.length, rings);
    assert.ok(Math.max(...shown.rings) < 600, shown.rings.join());
  }
});
