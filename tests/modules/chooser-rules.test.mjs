// The chooser's recommendations for given answers, with results made up for the tests.
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
    family: "relative",
    positionAxes: 1,
    isShiftInvariant: true,
    isBidirectional: true,
    decodes: true,
    ends: false,
    parameters: 0,
    share: 0,
    cacheBytes: 6144,
    hasTable: false,
    reach: Number.POSITIVE_INFINITY,
    ...more,
  });
  const table = { ends: true, hasTable: true };
  known = {
    rows: [
      row("nope", { family: "none", positionAxes: 0 }),
      row("sinusoidal", { family: "absolute" }),
      row("learned", { family: "absolute", ...table }),
      row("rope", { family: "rotary" }),
      row("xpos", { family: "rotary", ends: true, reach: 16_384 }),
      row("sandwich"),
      row("alibi"),
      row("fire", { isBidirectional: false }),
      row("mla", { family: "latent", cacheBytes: 784 }),
      row("rope_2d", { family: "grid", positionAxes: 2, decodes: false }),
      row("swin", { family: "grid", positionAxes: 2, decodes: false, ...table }),
      row("mrope", { family: "grid", positionAxes: 3 }),
    ],
    lengths: readResults(lengthFile),
    extension: readExtension(fileOf("extension"), fileOf("longrope")),
    images: readImage(fileOf("image")),
    language: "en",
    nameOf: (scheme) => scheme,
  };
});
after(() => sources.close());

// Defaults: trained on 2,048 tokens or 16 × 16 cells, and read at the same length.
const answers = (more = {}) => ({
  what: 0,
  sees: 0,
  trained: 2,
  read: 2,
  cache: 0,
  start: 0,
  ...more,
});
/** Indices of the chooser's lengths: 2, 4, 16 and 64 times 2,048 tokens. */
const [twice, four, sixteen, farthest] = [3, 4, 6, 8];
const fits = (more) => rules.fitting(answers(more), known.rows).map(({ scheme }) => scheme);
const say = (more, changed = {}, language = "en") =>
  rules.followsFrom(answers(more), { ...known, ...changed }, words[language]);
const textOf = (lines) => lines.map(({ text }) => text).join("\n");
const sourcesOf = (lines) => lines.map(({ source }) => source);
const ofText = "nope sinusoidal learned rope xpos sandwich alibi fire mla".split(" ");
const without = (...ids) => ofText.filter((id) => !ids.includes(id));

test("schemes fit by their claims, and schemes for grids never fit a text", () => {
  assert.deepEqual(fits(), ofText);
  assert.deepEqual(fits({ sees: 1 }), without("nope", "fire"));
  assert.deepEqual(fits({ what: 1 }), ["mrope"]);
  assert.deepEqual(fits({ what: 1, sees: 1 }), ["rope_2d", "swin", "mrope"]);
});

test("the two lengths decide whether a scheme must reach beyond its training", () => {
  for (const [trained, read] of [
    [2, 2],
    [4, 2],
  ]) {
    assert.ok(fits({ trained, read }).includes("learned"));
    assert.match(textOf(say({ trained, read })), /nothing has to stretch/);
  }
  assert.deepEqual(fits({ read: four }), without("learned"));
  assert.match(textOf(say({ read: four })), /4 times as far as you train, so it must stretch/);
  assert.match(textOf(say({ trained: 1, read: 2 })), /2 times as far/);
  assert.deepEqual(fits({ what: 1, sees: 1, read: four }), ["rope_2d", "mrope"]);
  assert.match(textOf(say({ what: 1, sees: 1, read: four })), /2 times as far as you train/);
  // Some schemes end without a table, so they may not fit even the trained length.
  assert.deepEqual(fits({ trained: sixteen, read: sixteen }), without("xpos"));
  assert.ok(fits({ read: 5 }).includes("xpos"));
});

test("at the trained length it names the best scheme, or says that it does not matter", () => {
  // Losses: rope 1.8, learned, sinusoidal and alibi 1.9, sandwich 1.88, nope 2.0, each ± 0.1.
  const lines = say();
  assert.deepEqual(sourcesOf(lines), ["claims", "length", "cost"]);
  assert.match(textOf(lines), /does not matter here.*the 6 .* between 1\.80 and 2\.00 .* by 0\.20/);
  const chinese = say({}, { language: "zh" });
  assert.match(
    textOf(chinese),
    /rope is first with 8\.00.*nope last with 8\.50.*but 3 of 6, rope among them,/,
  );
});

test("for longer texts it names schemes that stay level, and the one that rises most", () => {
  const text = textOf(say({ read: four }));
  // nope rises by exactly 0.20, the limit.
  assert.match(
    text,
    new RegExp(
      "At 4 times (?:.* level, .* 0\\.20 bits .*: sandwich, alibi\\." +
        "|most of the 5 .*; not level: sinusoidal, rope\\.)",
    ),
  );
  assert.match(text, /rope rises most, by 1\.20 .* sandwich is best there/);
  assert.doesNotMatch(text, /learned|nothing was measured/);
  // At twice the length the loss of rope has risen by half of that at 4 times.
  assert.match(textOf(say({ read: twice })), /At 2 times [\s\S]*rope rises most, by 0\.60/);
  const far = textOf(say({ read: farthest }));
  assert.match(far, /You ask for 64 times; nothing was measured beyond 4\. At 4 times/);
});

test("if all schemes are level, none is said to rise", () => {
  const rows = known.rows.filter(({ scheme }) => ["alibi", "sandwich"].includes(scheme));
  const text = textOf(say({ read: four }, { rows }));
  assert.match(
    text,
    /all 2 that were measured are level, within the 0\.20 .* does not matter which/,
  );
  assert.doesNotMatch(text, /rises most/);
});

test("without a limit the cache decides nothing; a limit needs shared heads or a latent", () => {
  assert.match(textOf(say()), /decides nothing: all keep 6,144 .* but mla, which keeps 784/);
  const alike = known.rows.filter(({ scheme }) => scheme !== "mla");
  assert.match(textOf(say({}, { rows: alike })), /For the cache it does not matter which/);
  // A group of heads takes 512 bytes for each token and layer; 12 layers, 2,048 tokens.
  for (const [cache, bytes, groups, whole] of [
    [1, "4,096", "at most 8 groups", "101\u00a0MB"],
    [2, "2,048", "at most 4 groups", "50.3\u00a0MB"],
    [3, "1,024", "at most 2 groups", "25.2\u00a0MB"],
    [4, "512", "all 12 are one group", "12.6\u00a0MB"],
  ]) {
    const text = textOf(say({ cache }));
    for (const part of [`you have ${bytes}.`, groups, `2,048 tokens that comes to ${whole}`])
      assert.ok(text.includes(part), `${part}: ${text}`);
    assert.match(text, cache < 4 ? /mla fits as it is, with 784/ : /mla does not fit, with 784/);
  }
  assert.match(textOf(say({ cache: 2, sees: 1 })), /cache does not matter here/);
  assert.match(textOf(say({ cache: 2, start: 1 })), /settled with the checkpoint/);
});

test("a checkpoint keeps its scheme, and only schemes of its kind fit", () => {
  assert.deepEqual(sourcesOf(say({ start: 1 })), ["surgery", "claims", "cost"]);
  assert.deepEqual(fits({ start: 1 }), ["rope", "xpos"]);
  assert.deepEqual(fits({ start: 2 }), ["sinusoidal", "learned"]);
  assert.deepEqual(fits({ start: 3 }), ["sandwich", "alibi", "fire"]);
  assert.deepEqual(fits({ start: 4 }), ["mla"]);
});

test("a rotary checkpoint gets the method that was measured best at that length", () => {
  const { results } = fileOf("extension");
  results.longrope = fileOf("longrope").results;
  for (const [read, multiple, language] of [
    [twice, 2, "en"],
    [four, 4, "en"],
    [sixteen, 16, "zh"],
  ]) {
    const scores = Object.entries(results).flatMap(([method, scored]) =>
      method !== "dynamic" && scored[multiple] ? [scored[multiple][language].bitsPerToken] : [],
    );
    const lines = say({ start: 1, read }, { language });
    assert.deepEqual(sourcesOf(lines).slice(0, 2), ["surgery", "extension"]);
    const text = textOf(lines);
    assert.match(text, new RegExp(`a text ${multiple} times as long best with`));
    assert.ok(text.includes(`: ${Math.min(...scores).toFixed(2)} bits`), text);
    const plain = results.none[multiple][language].bitsPerToken;
    assert.ok(text.includes(`and ${plain.toFixed(2)} as it is`), text);
  }
  assert.match(textOf(say({ start: 1, read: farthest })), /nothing was measured beyond 16/);
});

test("a table ends; for biases and sinusoids the measured losses are given", () => {
  const table = say({ start: 2, read: four });
  assert.deepEqual(sourcesOf(table).slice(0, 3), ["surgery", "claims", "length"]);
  assert.match(textOf(table), /the engine refuses the next position/);
  assert.match(textOf(table), /sinusoidal rises most, by 0\.80/);
  const bias = textOf(say({ start: 3, read: four }));
  assert.match(bias, /At 4 times .* all 2 that were measured are level/);
  assert.doesNotMatch(bias, /rope|sinusoidal/);
  // No bidirectional text model was measured.
  for (const { source } of say({ start: 3, read: four, sees: 1 }))
    assert.notEqual(source, "length");
});

test("for pictures, results of grid schemes are given beside a model without positions", () => {
  const text = textOf(say({ what: 1, sees: 1 }));
  const { results } = fileOf("image");
  const share = (scheme) => {
    const all = Object.values(results[scheme]).flatMap(({ picture_quadrant, picture_left }) => [
      picture_quadrant,
      picture_left,
    ]);
    return Math.round((100 * all.reduce((a, b) => a + b)) / all.length);
  };
  const shares = ["swin", "rope_2d", "mrope"].map(share);
  assert.ok(text.includes(`${Math.min(...shares)}% to ${Math.max(...shares)}%`), text);
  assert.ok(text.includes(`without positions in ${share("nope")}%`), text);
  assert.doesNotMatch(text, /writes with a cache/);
  const written = textOf(say({ what: 1 }));
  assert.match(written, /only M-RoPE writes with a cache/);
  assert.ok(written.includes(`right in ${share("mrope")}% of answers`), written);
  const drawn = say({ what: 1, sees: 1, start: 2, read: four });
  assert.ok(sourcesOf(drawn).includes("table"));
});

test("without files no result is given, and every source has a link", () => {
  const none = { lengths: undefined, extension: undefined, images: undefined };
  for (const more of [{}, { read: four }, { what: 1 }, { start: 1, read: four }])
    for (const source of sourcesOf(say(more, none))) assert.match(source, /claims|surgery|cost/);
  for (const { sources: all } of Object.values(words))
    for (const [said, place] of Object.values(all)) {
      assert.ok(said);
      assert.match(place, /^#[a-z]+$/);
    }
});

test("rows are sorted by any column, in both directions, with unknown values last", async () => {
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

test("a dot far beyond the others becomes a number, but every ring is drawn", async () => {
  const { drawRanges } = await sources.load("/figures/chooser/picture.ts");
  const palette = { ink: "#000000", soft: "#000000", hair: "#000000", query: "#000000" };
  const drawn = (rows) => {
    const measure = (text) => 6 * text.length;
    const { marks } = drawRanges(rows, words.en, 16)(600, palette, measure);
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
  // A ring is never replaced by a number, so the scale includes it.
  for (const [row, rings] of [
    [{ name: "d", first: 3, far: 3.1 }, 6],
    [{ name: "e", first: 3, far: undefined }, 5],
  ]) {
    const shown = drawn([...close, row]);
    assert.equal(shown.rings.length, rings);
    assert.ok(Math.max(...shown.rings) < 600, shown.rings.join());
  }
});
