// Elements for the reader's own numbers, or for a call of the engine that attributes describe, in
// another page: their pictures, and their messages if there is nothing to draw.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { awaitText, numbersOf, openPage } from "./browser.mjs";
import { about, openOwnElements, set, skip } from "./own-elements-page.mjs";

const { load } = await import(fileURLToPath(new URL("../../dist/index.js", import.meta.url)));

let session;
before(async () => {
  ({ session } = await openOwnElements("host-own"));
});
after(() => session.close());

const opened = () => openPage(session, { hash: "own.html" });

test("attributes describe a call of the engine, and its result is the picture", async () => {
  const { page, complaints, close } = await opened();
  const wf = await load();
  const rows = await numbersOf(page, "wf-encoding-heatmap#en");
  const positions = Array.from({ length: 24 }, (_, at) => at);
  const added = wf
    .scheme("sinusoidal", { numHeads: 1, headDim: 8, hiddenSize: 8 })
    .embeddings(positions);
  assert.deepEqual(Object.values(rows.values), [...added.data]);
  const { lines } = await numbersOf(page, "wf-bias-by-distance#en");
  const keys = Array.from({ length: 32 }, (_, at) => at);
  const bias = wf.scheme("alibi", { numHeads: 4, headDim: 16 }).bias([31], keys).data;
  for (const [head, { values }] of lines.entries())
    for (const [distance, value] of values.entries())
      assert.equal(value, bias[head * 32 + 31 - distance]);
  const dials = await numbersOf(page, "wf-rotation-dials#en");
  const { config } = dials;
  const scaled = wf.schemeFromConfig(config).frequencies(dials.length).inverseFrequencies;
  assert.deepEqual(Object.values(dials.after), [...scaled]);
  assert.equal(dials.length, 4 * dials.trained);
  const chart = await numbersOf(page, "wf-frequency-chart#en");
  for (const [pair, radians] of Object.entries(chart.before)) about(chart.after[pair], radians / 4);
  const { caches } = await numbersOf(page, "wf-cache-bars#en");
  assert.deepEqual(
    caches.map(({ numbers }) => numbers),
    [2 * 16 * 64, 2 * 4 * 64, 2 * 64, 128 + 32],
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("schemes and models read a text: weights by distance, terms that sum to the score, losses", {
  skip,
}, async () => {
  const { page, complaints, close } = await opened();
  const { lines, answer } = await numbersOf(page, "wf-weight-by-distance#en");
  const [{ values }] = answer.maps;
  const n = answer.tokens.length;
  let sum = 0;
  for (let row = 1; row < n; row++) sum += values[row * n + row - 1];
  about(lines[0].values[1], sum / (n - 1));
  const shown = await numbersOf(page, "wf-logit-terms#en");
  assert.equal(shown.row, 5);
  assert.equal(shown.totals.length, 6);
  const [content, position] = shown.terms;
  // ALiBi's bias is 0 at the token itself, and falls by the slope for each token back.
  const slope = position.values[4];
  for (const [key, total] of shown.totals.entries()) {
    about(content.values[key] + position.values[key], total);
    about(position.values[key], slope * (5 - key));
  }
  const losses = await numbersOf(page, "wf-loss-by-length#en");
  assert.deepEqual(
    losses.lines.map(({ name }) => name),
    ["rope", "alibi"],
  );
  for (const { values: means, low, high } of losses.lines)
    for (const [at, mean] of means.entries()) assert.ok(low[at] <= mean && mean <= high[at]);
  await set(page, "wf-bias-by-distance#en", { model: "t5", models: "models/" });
  const trained = await numbersOf(page, "wf-bias-by-distance#en", (data) => data.scheme === "t5");
  assert.equal(trained.lines.length, trained.trained.numHeads);
  assert.deepEqual(complaints, []);
  await close();
});

test("own numbers are drawn, from a property or an address", async () => {
  const { page, complaints, close } = await opened();
  const own = async (tag, properties, ready) => {
    await set(page, `${tag}#en`, properties);
    return numbersOf(page, `${tag}#en`, ready);
  };
  const heatmap = "wf-encoding-heatmap";
  const given = await own(
    heatmap,
    {
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    },
    ({ channels }) => channels === 3,
  );
  assert.deepEqual(Object.values(given.drawn), [1, 4, 2, 5, 3, 6]);
  const rows = await own(
    heatmap,
    { values: undefined, src: "rows.csv" },
    ({ drawn }) => drawn[0] !== 1,
  );
  assert.equal(rows.answer, undefined);
  for (const tag of ["wf-bias-by-distance", "wf-weight-by-distance", "wf-loss-by-length"]) {
    const { x, lines } = await own(
      tag,
      { curves: { near: [1, 0.5], far: [0, null] } },
      (data) => data.lines[0].name === "near",
    );
    assert.deepEqual(x, [0, 1]);
    assert.deepEqual(lines[1].values, [0, Number.NaN]);
    const file = await own(
      tag,
      { curves: undefined, src: "curves.csv" },
      (data) => data.x[0] === 64,
    );
    assert.deepEqual(file.lines, [
      {
        name: "one",
        values: [2.5, 2.25, Number.NaN],
        low: [2.4, 2, Number.NaN],
        high: [2.6, 2.5, Number.NaN],
      },
    ]);
  }
  const weights = [
    [1, 0, 0],
    [0.25, 0.75, 0],
    [0.5, 0.3, 0.2],
  ];
  const means = await own(
    "wf-weight-by-distance",
    { src: undefined, weights },
    (data) => data.isOfWeights,
  );
  assert.deepEqual(
    means.lines[0].values.map((value) => Number(value.toFixed(4))),
    [0.475, 0.275, 0.5],
  );
  for (const tag of ["wf-rotation-dials", "wf-frequency-chart"]) {
    const { length, before } = await own(
      tag,
      { src: "config.json" },
      (data) => data.trained === 1024,
    );
    assert.deepEqual([length, Object.keys(before).length], [1024, 8]);
  }
  const { caches } = await own("wf-cache-bars", { src: "caches.json" }, (data) => !data.question);
  assert.deepEqual(caches, [{ name: "one", numbers: 32, layers: 3 }]);
  const terms = await own("wf-logit-terms", { src: "terms.json" }, ({ answer }) => !answer);
  assert.deepEqual(terms.totals, [4, -1.5]);
  assert.deepEqual(terms.keys, ["a", "b"]);
  assert.deepEqual(complaints, []);
  await close();
});

test("objects behind a store's proxies are drawn like the objects themselves", async () => {
  const { page, complaints, close } = await opened();
  const config = { model_type: "llama", num_attention_heads: 4, hidden_size: 64, rope_theta: 5e5 };
  const given = {
    "wf-encoding-heatmap": { values: [[1, 2, 3]] },
    "wf-bias-by-distance": { curves: { near: [1, 0.5] } },
    "wf-weight-by-distance": { weights: { shape: [2, 2], data: [1, 0, 0.25, 0.75] } },
    "wf-loss-by-length": { curves: { x: [64, 128], near: [2.5, 2.25] } },
    "wf-logit-terms": { terms: { content: [1, -2] }, tokens: ["a", "b"] },
    "wf-rotation-dials": { config: { ...config, max_position_embeddings: 512 } },
    "wf-frequency-chart": { config: { ...config, max_position_embeddings: 512 } },
    "wf-cache-bars": { caches: [{ name: "one", kvHeads: 2, headDim: 8, layers: 3 }] },
  };
  await page.evaluate((all) => {
    const behind = (value) =>
      typeof value === "object" && value !== null
        ? new Proxy(value, { get: (target, name) => behind(target[name]) })
        : value;
    for (const [tag, properties] of Object.entries(all))
      Object.assign(document.querySelector(`${tag}#en`), behind(properties));
  }, given);
  const isThere = {
    "wf-encoding-heatmap": ({ channels }) => channels === 3,
    "wf-bias-by-distance": ({ lines }) => lines[0].name === "near",
    "wf-weight-by-distance": ({ lines }) => `${lines[0].values}` === "0.75,0.25",
    "wf-loss-by-length": ({ lines }) => lines[0].name === "near",
    "wf-logit-terms": ({ totals }) => `${totals}` === "1,-2",
    "wf-rotation-dials": ({ trained }) => trained === 512,
    "wf-frequency-chart": ({ trained }) => trained === 512,
    "wf-cache-bars": ({ caches }) => caches[0].numbers === 32,
  };
  for (const [tag, ready] of Object.entries(isThere)) await numbersOf(page, `${tag}#en`, ready);
  assert.deepEqual(complaints, []);
  await close();
});

const wrong = [
  ["wf-encoding-heatmap", { values: [[1, 2], [3]] }, /values\[1\](?:: |：)\[3\]/],
  [
    "wf-encoding-heatmap",
    { values: undefined, options: "bas:3" },
    /options: "bas:3" \(expected one of .*base/,
  ],
  ["wf-bias-by-distance", { scheme: "rope" }, /bias/],
  ["wf-bias-by-distance", { scheme: "nothing" }, /nothing/],
  ["wf-bias-by-distance", { curves: { one: [1, 2], other: [1] } }, /curves.other(?:: |：)\[1\]/],
  ["wf-weight-by-distance", { curves: { x: [2, 1], one: [1, 2] } }, /curves.x\[1\](?:: |：)1/],
  ["wf-loss-by-length", { curves: { one: ["a"] } }, /curves.one\[0\](?:: |：)"a"/],
  ["wf-rotation-dials", { scaling: "{" }, /scaling(?:: |：)"\{"/],
  ["wf-frequency-chart", { scaling: "sideways" }, /sideways/],
  ["wf-cache-bars", { kinds: "mha lots" }, /kinds(?:: |：)"mha lots"/],
  ["wf-cache-bars", { caches: [{ name: "none" }] }, /caches\[0\](?:: |：)\{ name \}/],
  ["wf-logit-terms", { terms: { content: [1, 2] }, tokens: ["a"] }, /tokens(?:: |：)\["a"\]/],
];

test("a value that cannot be drawn gives a message in both languages", async () => {
  const { page, complaints, close } = await opened();
  for (const [tag, properties, message] of wrong)
    for (const [id, said] of [
      ["en", /nothing to show/],
      ["zh", /暂时画不出来/],
    ]) {
      const selector = `${tag}#${id}`;
      await page.locator(selector).scrollIntoViewIfNeeded();
      await set(page, selector, properties);
      const notice = page.locator(`${selector} .refused`);
      await awaitText(notice, said);
      await awaitText(notice, message);
      const back = Object.fromEntries(Object.keys(properties).map((name) => [name, undefined]));
      const first = { scaling: "", options: "", scheme: "alibi", kinds: "mha gqa mqa mla" };
      for (const name of Object.keys(back)) if (name in first) back[name] = first[name];
      if (properties.terms || properties.curves)
        Object.assign(back, {
          curves: { one: [1, 2] },
          terms: { content: [1] },
          tokens: undefined,
        });
      await set(page, selector, back);
      await notice.waitFor({ state: "detached" });
    }
  await page.locator("wf-cache-bars#en").evaluate((node) => {
    node.src = "broken.json";
  });
  await awaitText(page.locator("wf-cache-bars#en .refused"), /broken\.json/);
  await set(page, "wf-cache-bars#en", { src: "missing.json" });
  await awaitText(page.locator("wf-cache-bars#en wf-frame .failure"), /HTTP status 404/);
  assert.ok(
    complaints.every((text) => /404/.test(text)),
    `${complaints}`,
  );
  await close();
});
