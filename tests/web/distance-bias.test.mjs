// A logit that depended on distance alone: biases by the formulas, and from the trained models'
// files.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { trainedTensors } from "./trained-tensors.mjs";

const home = pathOfFigure("wf-distance-bias");

const tag = "wf-distance-bias";
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const list = (numbers) => Object.values(numbers);

let session;
let page;
let complaints;
before(async () => {
  session = await openBrowser();
  ({ page, complaints } = await openPage(session, { path: home }));
});
after(() => session.close());

async function figureAt(scheme, more = "", ready = () => true, language = "en") {
  await follow(page, fragment(language, `&d=${scheme}${more}`));
  return numbersOf(page, tag, (data) => data.scheme === scheme && ready(data));
}

const heads = ({ lines }) => lines.map(({ values }) => list(values));

// Press, Smith & Lewis 2022, section 3, and their code for a number of heads that is no power of
// two.
const slopes = {
  8: [1, 2, 3, 4, 5, 6, 7, 8].map((k) => 2 ** -k),
  12: [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((k) => 2 ** -k),
    ...[0.5, 1.5, 2.5, 3.5].map((k) => 2 ** -k),
  ],
};

for (const count of [8, 12])
  test(`ALiBi, ${count} heads: the slopes of the paper, the matrix of its Figure 3`, async () => {
    const data = await figureAt("alibi", `&dk=${count}&dh=1`, ({ knob }) => knob === count);
    assert.equal(data.numHeads, count);
    assert.equal(data.isTrained, false);
    heads(data).forEach((values, head) => {
      for (const distance of [0, 1, 64, 119])
        close(values[distance], -slopes[count][head] * distance, 1e-5);
    });
    const map = list(data.map);
    for (let row = 0; row < 5; row++)
      for (let column = 0; column <= row; column++)
        close(map[row * data.side + column], (column - row) * slopes[count][1], 1e-6);
    const texts = await page
      .locator(`${tag} wf-scene`)
      .evaluate((scene) => scene.picture.marks.flatMap(({ text }) => text ?? []));
    for (const multiple of ["−1", "−2", "−3", "−4"]) assert.ok(texts.includes(multiple), multiple);
    const said = await page.locator(`${tag} .reading`).textContent();
    assert.equal(/no power of two/.test(said), count === 12);
  });

// First distances of buckets 16 to 31 of 32, up to 128 (Raffel et al. 2020, their code).
const begins = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113];

test("T5: the trained table, a step for each bucket, independent of the words", async () => {
  const data = await figureAt("t5");
  assert.deepEqual([data.isTrained, data.isOfContent], [true, false]);
  const table = trainedTensors("t5")("model.position.t5.relative_attention_bias");
  heads(data).forEach((values, head) => {
    values.forEach((value, distance) => {
      const far = begins.filter((first) => first <= distance).length;
      const bucket = distance < 16 ? distance : 15 + far;
      close(value, table[bucket * data.numHeads + head], 1e-4);
    });
  });
  const shorter = await figureAt("t5", "&dk=40", ({ knob }) => knob === 40);
  const last = heads(shorter)[0];
  close(last[60], table[31 * data.numHeads], 1e-4);
  close(last[15], table[15 * data.numHeads], 1e-4);
});

test("KERPLE: −p·ln(1 + a·distance) with the p and a of the layer", async () => {
  const data = await figureAt("kerple", "&dl=2", ({ layer }) => layer === 2);
  const tensor = trainedTensors("kerple");
  const of = (name) => tensor(`model.layers.2.self_attn.position.kerple.${name}`);
  const [p, a] = [of("bias_p"), of("bias_a")];
  heads(data).forEach((values, head) => {
    for (const distance of [0, 1, 10, 119])
      close(values[distance], -p[head] * Math.log1p(a[head] * distance), 1e-3);
  });
});

test("Shaw: distances beyond the limit share one vector, nearer ones are unchanged", async () => {
  const whole = await figureAt("shaw");
  assert.ok(whole.isOfContent);
  const cut = await figureAt("shaw", "&dk=4", ({ knob }) => knob === 4);
  const [before, after] = [whole, cut].map(({ map }) => list(map));
  const n = whole.side;
  let differs = 0;
  for (let row = 0; row < n; row++)
    for (let column = 0; column <= row; column++) {
      const clipped = Math.max(column, row - 4);
      close(after[row * n + column], before[row * n + clipped], 1e-4);
      differs = Math.max(differs, Math.abs(after[row * n + column] - before[row * n + column]));
    }
  assert.ok(differs > 0.1, `${differs}`);
  assert.match(await page.locator(`${tag} .note`).textContent(), /turned after training/);
});

test("DeBERTa: clipping the table changes nothing nearer than the limit", async () => {
  const whole = await figureAt("deberta");
  const cut = await figureAt("deberta", "&dk=8", ({ knob }) => knob === 8);
  const [before, after] = [whole, cut].map(({ map }) => list(map));
  const n = whole.side;
  for (let row = 0; row < n; row++)
    for (let column = Math.max(0, row - 7); column <= row; column++)
      close(after[row * n + column], before[row * n + column], 1e-4);
  assert.ok(Math.abs(after[20 * n] - before[20 * n]) > 1e-3);
});

test("Transformer-XL: four terms, of which two depend on the distance", async () => {
  const { lines } = await figureAt("transformer_xl");
  assert.deepEqual(
    lines.map(({ name }) => name),
    ["content", "queryDistance", "keyBias", "distanceBias"],
  );
  const range = (values) => Math.max(...values) - Math.min(...values);
  const [, query, key, own] = lines.map(({ values }) => range(list(values)));
  assert.ok(query > 3 * key && own > 3 * key, `${[query, key, own]}`);
  // If all distances beyond 1 are read as 1, the distance's bias is constant from there on.
  const cut = await figureAt("transformer_xl", "&dk=1", ({ knob }) => knob === 1);
  const level = list(cut.lines[3].values).slice(1);
  assert.ok(range(level) < 1e-4, `${range(level)}`);
});

test("others: Sandwich falls untrained, FIRE depends on distance, CoPE on words", async () => {
  const sandwich = heads(await figureAt("sandwich"));
  // Chi et al. 2023: for each head, the sum of cosines minus that at distance 0.
  const at = (distance) =>
    Array.from({ length: 64 }, (_, t) => Math.cos(distance * 10000 ** (-(t + 1) / 64)) - 1);
  const sum = at(10).reduce((total, value) => total + value, 0);
  close(sandwich[0][10], sum, 1e-3);
  close(sandwich[7][10], sum / 8, 1e-3);
  // With frequencies that start at 1, each is one step higher.
  const higher = heads(await figureAt("sandwich", "&dn=2.0.0", ({ values }) => values[0] === 2));
  const from0 = Array.from({ length: 64 }, (_, t) => Math.cos(10 * 10000 ** (-t / 64)) - 1);
  close(
    higher[0][10],
    from0.reduce((total, value) => total + value, 0),
    1e-3,
  );
  const fire = await figureAt("fire");
  assert.deepEqual([fire.isTrained, fire.isOfContent], [true, false]);
  const cope = await figureAt(
    "cope",
    "",
    ({ tokens }) => /\p{Script=Han}/u.test(tokens.join("")),
    "zh",
  );
  assert.ok(cope.isOfContent);
  assert.deepEqual(
    cope.lines.map(({ kind }) => kind),
    ["mean", "low", "high"],
  );
  const [, low, high] = heads(cope);
  for (const [distance, value] of low.entries()) assert.ok(value <= high[distance], `${distance}`);
});

test("ALiBi: one slope changes the others in proportion; interpolation divides all", async () => {
  // alibi_bias_max of 5 (in steps of a quarter); slopes divided by 4.
  const data = await figureAt("alibi", "&dn=20.4.0", ({ values }) => values[0] === 20);
  heads(data).forEach((values, head) => {
    close(values[64], (-(2 ** ((-5 * (head + 1)) / 8)) * 64) / 4, 1e-4);
  });
  await figureAt("alibi", "&dh=3", ({ head, values }) => head === 3 && values[0] === 32);
  const slider = page.locator(`${tag} wf-slider.biasMax`);
  assert.match(await slider.locator("label").textContent(), /Slope of head 4/);
  const input = slider.locator("input");
  assert.equal(await input.getAttribute("aria-valuetext"), "0.0625 for each token");
  await input.press("ArrowRight");
  const steeper = await awaitNumbers(page, tag, ({ values }) => values[0] === 31);
  close(heads(steeper)[3][1], -(2 ** (-7.75 / 2)), 1e-6);
  assert.match(await page.locator(`${tag} .note`).textContent(), /drags the others along/);
  await page.waitForFunction(() => location.hash.includes("dn=31.0.0"));
});

// First distances of buckets 4 to 7 of 8, up to 128, by the same formula.
const beginsOf8 = [4, 10, 23, 54];

test("T5: with fewer buckets each has the mean of its distances' values", async () => {
  const table = trainedTensors("t5")("model.position.t5.relative_attention_bias");
  const { lines, numHeads, values } = await figureAt("t5", "&dn=8.0.0", (data) => {
    return data.values[0] === 8;
  });
  assert.deepEqual(values, [8]);
  const bucketOf32 = (distance) =>
    distance < 16 ? distance : 15 + begins.filter((first) => first <= distance).length;
  const bucketOf8 = (distance) =>
    distance < 4 ? distance : 3 + beginsOf8.filter((first) => first <= distance).length;
  const all = Array.from({ length: 128 }, (_, distance) => distance);
  lines.forEach((line, head) => {
    for (const distance of [0, 3, 4, 9, 10, 22, 23, 53, 54, 119]) {
      const members = all.filter((other) => bucketOf8(other) === bucketOf8(distance));
      const sum = members.reduce((s, one) => s + table[bucketOf32(one) * numHeads + head], 0);
      close(list(line.values)[distance], sum / members.length, 1e-4);
    }
  });
  assert.match(await page.locator(`${tag} .reading`).textContent(), /Of 8 buckets, the first 4/);
  const input = page.locator(`${tag} wf-slider.numBuckets input`);
  await input.press("ArrowLeft");
  await awaitNumbers(page, tag, (data) => data.values[0] === 6);
});

test("KERPLE: p and a of one head can be changed, in both kernels", async () => {
  const tensor = trainedTensors("kerple");
  const of = (name) => tensor(`model.layers.0.self_attn.position.kerple.${name}`);
  const [p, a] = [of("bias_p"), of("bias_a")];
  const log = await figureAt("kerple", "&dh=1&dn=0.50.0", ({ values }) => values[1] === 50);
  close(log.values[2], 100 * a[1], 1e-4);
  for (const [head, exponent] of [p[0], 0.5, p[2], p[3]].entries())
    for (const distance of [1, 119])
      close(heads(log)[head][distance], -exponent * Math.log1p(a[head] * distance), 1e-3);

  const power = await figureAt("kerple", "&dh=1&dn=2.60.30", ({ values }) => values[0] === 2);
  for (const distance of [1, 10, 119]) {
    close(heads(power)[1][distance], -0.3 * distance ** 0.6, 1e-4);
    close(heads(power)[0][distance], -a[0] * distance, 1e-3);
  }
  assert.match(await page.locator(`${tag} .note`).textContent(), /knew the logarithm alone/);
  // Another head has other numbers, but the same kernel.
  await page.locator(`${tag} wf-choice.distanceHead input`).nth(2).check();
  const other = await awaitNumbers(page, tag, ({ head }) => head === 2);
  assert.equal(other.values[0], 2);
  close(other.values[2], 100 * a[2], 1e-4);
});

test("FIRE: beyond the threshold, distances are relative to the query's position", async () => {
  const tensor = trainedTensors("fire");
  const of = (name) => tensor(`model.layers.1.self_attn.position.fire.${name}`);
  const [c, multiplier] = [of("c")[0], of("L_multiplier")[0]];
  const [inWeight, inBias] = [of("mlp.0.weight"), of("mlp.0.bias")];
  const [outWeight, outBias] = [of("mlp.2.weight"), of("mlp.2.bias")];
  const width = inBias.length;
  const psi = (x) => Math.log1p(Math.abs(c * x));
  const biasAt = (head, distance, query, threshold) => {
    const x = psi(distance) / psi(Math.max(query, multiplier * threshold));
    let sum = outBias[head];
    for (let unit = 0; unit < width; unit++)
      sum += outWeight[head * width + unit] * Math.max(0, inWeight[unit] * x + inBias[unit]);
    return sum;
  };
  for (const [more, query, threshold] of [
    ["", 127, 512],
    ["&dn=1200.0.0", 1200, 512],
    ["&dk=256&dn=700.0.0", 700, 256],
  ]) {
    const data = await figureAt(
      "fire",
      `&dl=1${more}`,
      ({ values, knob, layer }) => layer === 1 && values[0] === query && knob === threshold,
    );
    heads(data).forEach((values, head) => {
      for (const distance of [0, 1, 30, 119])
        close(values[distance], biasAt(head, distance, query, threshold), 2e-3);
    });
  }
});

test("the number of heads in the prose changes ALiBi only", async () => {
  await figureAt("t5", "", ({ knob }) => knob === 128);
  const number = page.locator("section:has(#distance) wf-scrub").first();
  assert.equal(await number.getAttribute("aria-valuenow"), "8");
  await number.press("ArrowRight");
  const data = await awaitNumbers(
    page,
    tag,
    ({ scheme, knob }) => scheme === "alibi" && knob === 9,
  );
  assert.equal(data.numHeads, 9);
  assert.deepEqual(complaints, []);
});
