// Functions of the page without a browser: state in the address, words, measures, keys, exports.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSources } from "./sources.mjs";

const figures = fileURLToPath(new URL("../../web/figures", import.meta.url));

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("state is restored from the address, and the address stays short", async () => {
  const { readFragment, writeFragment, initialState } = await sources.load("/page-state.ts");
  const { comparedSchemes } = await sources.load("/defaults.ts");
  const state = {
    ...initialState,
    language: "zh",
    theme: "dark",
    chaseText: "狗咬猫 & co",
    chaseSwap: [1, 2],
    chaseScheme: comparedSchemes[2].id,
    chaseUnit: "character",
    orderSeed: 12,
    headSchemes: "alibi.rope",
    curveSchemes: "alibi",
    layer: 3,
    head: 2,
    cell: [7, 4],
    galleryScheme: comparedSchemes[2].id,
    galleryOptions: "a:1;b.c:x",
    galleryText: "猫 追",
    galleryHead: 3,
    galleryCell: [1, 0],
  };
  const written = writeFragment(state);
  assert.deepEqual({ ...initialState, ...readFragment(written) }, state);
  assert.ok(writeFragment({ ...state, chaseText: "", galleryText: "" }).length < 200);
  assert.equal(writeFragment(initialState), "#v=1&l=en");
});

test("each choice has a key of its own in the address", async () => {
  const files = readdirSync(figures, { recursive: true });
  const states = files.filter((file) => /(?:^|[/\\])state\.ts$/.test(file));
  assert.ok(states.length > 20, `${states.length} files`);
  const keys = [];
  for (const file of states) {
    const { fields } = await sources.load(`/figures/${file.replaceAll("\\", "/")}`);
    keys.push(...Object.values(fields).map(({ key }) => key));
  }
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test("an invalid address is ignored, field by field", async () => {
  const { readFragment } = await sources.load("/page-state.ts");
  assert.deepEqual(readFragment("#heads"), {});
  assert.deepEqual(readFragment("#v=2&l=zh"), {});
  assert.deepEqual(
    readFragment("#v=1&l=fr&t=pink&ap=nonsense&as=1&cl=-1&cc=x.y&bs=1e9&g=A+b&gc=1"),
    {},
  );
  assert.deepEqual(readFragment("#v=1&cl=999"), { layer: 63 });
});

test("words are split at spaces, otherwise by the language's word list", async () => {
  const { splitWords } = await sources.load("/engine/both/sentences.ts");
  assert.deepEqual(splitWords("cat  chases mouse ", "en"), ["cat", "chases", "mouse"]);
  assert.deepEqual(splitWords("猫追老鼠", "zh"), ["猫", "追", "老鼠"]);
  assert.deepEqual(splitWords("不 都 去", "zh"), ["不", "都", "去"]);
  assert.deepEqual(splitWords("   ", "en"), []);
});

test("B has the words of A in another order, or its characters", async () => {
  const { pairOf } = await sources.load("/engine/both/sentences.ts");
  for (const unit of ["word", "character"]) {
    const { tokensA, tokensB, order } = pairOf(["猫", "追", "老鼠"], 0, 2, unit);
    assert.equal(tokensA.length, unit === "word" ? 3 : 4);
    assert.deepEqual([...order].sort(), [...order.keys()]);
    tokensA.forEach((token, index) => {
      assert.equal(tokensB[order[index]], token);
    });
  }
});

test("equal tokens share an id, and different ones never do", async () => {
  const { idsOf } = await sources.load("/engine/both/sentences.ts");
  const ids = idsOf(["a", "b", "a", "c", "猫"], 5);
  assert.equal(ids[0], ids[2]);
  assert.equal(new Set(ids).size, 4);
  assert.ok(ids.every((id) => id >= 0 && id < 5));
});

test("the inverse permutation restores rows and columns", async () => {
  const { putBack, largestDifference } = await sources.load("/engine/both/measures.ts");
  const order = [2, 0, 1];
  const a = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const b = new Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) b[order[i] * 3 + order[j]] = a[i * 3 + j];
  }
  assert.equal(largestDifference(putBack(b, order), a), 0);
  assert.notEqual(largestDifference(b, a), 0);
});

test("distance measures of a map, computed by hand", async () => {
  const { meanDistance, shareWithin, weightByDistance } = await sources.load(
    "/engine/both/measures.ts",
  );
  // Row 1 attends to 0 and itself equally, row 2 only to 0.
  const map = [1, 0, 0, 0.5, 0.5, 0, 1, 0, 0];
  assert.equal(meanDistance(map, 3), (0.5 + 2) / 2);
  assert.deepEqual([...weightByDistance(map, 3)], [0.25, 0.25, 1]);
  assert.equal(shareWithin(map, 3, 1), 0.5);
});

test("arrow keys move over a grid and stop at its edges", async () => {
  const { walk } = await sources.load("/drawing/walk.ts");
  const size = { rows: 3, columns: 4 };
  const key = (name, more = {}) => ({
    key: name,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...more,
  });
  assert.deepEqual(walk(size, { row: 0, column: 0 }, key("ArrowUp")), { row: 0, column: 0 });
  assert.deepEqual(walk(size, { row: 0, column: 0 }, key("ArrowRight")), { row: 0, column: 1 });
  assert.deepEqual(walk(size, { row: 1, column: 1 }, key("End")), { row: 1, column: 3 });
  assert.deepEqual(walk(size, { row: 1, column: 1 }, key("End", { ctrlKey: true })), {
    row: 2,
    column: 3,
  });
  assert.equal(walk(size, { row: 1, column: 1 }, key("Tab")), undefined);
  assert.equal(walk(size, { row: 1, column: 1 }, key("ArrowLeft", { altKey: true })), undefined);
});

test("of points at any distances, the nearest one within reach is under the pointer", async () => {
  const { cellUnder, cornerOf } = await sources.load("/drawing/walk.ts");
  const points = [
    { x: 10, y: 10 },
    { x: 18, y: 10 },
    { x: 60, y: 40 },
  ];
  const grid = { x: 0, y: 0, rows: 1, columns: 3, cellWidth: 20, cellHeight: 20, points };
  const columnAt = (x, y) => cellUnder([grid], x, y)?.column;
  assert.deepEqual([columnAt(13, 12), columnAt(15, 10), columnAt(68, 33)], [0, 1, 2]);
  assert.equal(columnAt(40, 25), undefined);
  assert.deepEqual(cornerOf(grid, { row: 0, column: 2 }), { x: 50, y: 30 });
  const even = { ...grid, points: undefined };
  assert.deepEqual(cornerOf(even, { row: 0, column: 2 }), { x: 40, y: 0 });
});

test("counts have separators between thousands, as in English", async () => {
  const { grouped } = await sources.load("/text/numbers.ts");
  for (const value of [0, 12, 999, 1000, 47117, 1234567, 1e6, -4321, 1234.5678, 0.25])
    assert.equal(grouped(value), value.toLocaleString("en"));
});

test("numbers are written with the precision of the measurement", async () => {
  const { measured } = await sources.load("/text/numbers.ts");
  assert.equal(measured(0), "0");
  assert.equal(measured(5.96e-8), "6.0\u00a0×\u00a010⁻⁸");
  assert.equal(measured(0.21345), "0.213");
  assert.equal(measured(Number.NaN), "—");
});

test("token labels trim spaces and mark pieces of words", async () => {
  const { labelsOf } = await sources.load("/text/token-labels.ts");
  assert.deepEqual(labelsOf(["And", " God", " cha", "ses", "\n", " ", "<|unk|>", "猫"]), [
    "And",
    "God",
    "cha",
    "-ses",
    "⏎",
    "␣",
    "□",
    "猫",
  ]);
});

test("both languages have every sentence, in their own script", async () => {
  const { en, zh } = (await sources.load("/text/words.ts")).pageWords;
  const files = readdirSync(figures, { recursive: true }).filter((file) => /words\.ts$/.test(file));
  assert.ok(files.length > 10, `${files}`);
  const modules = await Promise.all(files.map((file) => sources.load(`/figures/${file}`)));
  const paths = (value, at = "") =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, part]) => paths(part, `${at}.${key}`))
      : [at];
  const prose = (value) =>
    typeof value === "string"
      ? value
      : value && typeof value === "object"
        ? Object.values(value).map(prose).join("")
        : "";
  for (const words of [{ en, zh }, ...modules.flatMap((module) => Object.values(module))]) {
    assert.deepEqual(paths(words.zh), paths(words.en));
    assert.match(prose(words.zh), /\p{Script=Han}/u);
  }
  for (const words of modules.flatMap((module) => Object.values(module)))
    assert.doesNotMatch(prose(words.en), /\p{Script=Han}/u);
});

test("a memo computes its value again only if one of its dependencies has changed", async () => {
  const { Memo } = await sources.load("/figures/shared/figure/memo.ts");
  const memo = new Memo();
  let made = 0;
  const ask = (...depends) => memo.of(depends, () => ++made);
  const [one, other] = [{}, {}];
  assert.deepEqual(
    [ask(one, "en"), ask(one, "en"), ask(other, "en"), ask(other, "zh")],
    [1, 1, 2, 3],
  );
  assert.deepEqual(
    [ask(other, Number.NaN), ask(other, Number.NaN), ask(other), ask()],
    [4, 4, 5, 6],
  );
});

test("any thrown value becomes a code and a message", async () => {
  const { EngineFailure, failureOf } = await sources.load("/engine/both/failure.ts");
  const refused = Object.assign(new Error("too long"), { code: "invalid_argument" });
  assert.deepEqual(failureOf(refused), { code: "invalid_argument", message: "too long" });
  const told = { code: "network", message: "gone" };
  assert.deepEqual(failureOf(new EngineFailure(told)), told);
  assert.deepEqual(failureOf(new TypeError("no x")), {
    code: "internal",
    message: "TypeError: no x",
  });
  for (const odd of [undefined, "odd", { code: 20 }]) assert.equal(failureOf(odd).code, "internal");
});

test("large counts are separated as each language does", async () => {
  const { counted, timesZh } = await sources.load("/text/numbers.ts");
  assert.deepEqual(
    [counted(1536, "en"), counted(24.2e9, "en"), counted(24.2e9, "zh")],
    ["1,536", "24.2 billion", "242 亿"],
  );
  assert.deepEqual([timesZh(12_345), timesZh(24.2e9)], ["12,345 次", "242 亿次"]);
});

test("large counts equal those of the platform's compact notation", async () => {
  const { counted } = await sources.load("/text/numbers.ts");
  const rounding = [999_499, 999_500, 9.995e7, 9.996e11];
  const sizes = Array.from({ length: 600 }, (_, step) => 10 ** (5 + step / 50));
  for (const language of ["en", "zh"]) {
    const { format } = new Intl.NumberFormat(language, {
      notation: "compact",
      compactDisplay: "long",
      maximumSignificantDigits: 3,
    });
    for (const value of [...rounding, ...sizes])
      assert.equal(counted(value, language), format(value).replace(/(\d)(?=[万亿])/, "$1 "));
  }
});
