// Reading beyond the trained length: the pairs of each method, and the trained model's loss.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const home = pathOfFigure("wf-stretch");

const stretch = "wf-stretch";
const longer = "wf-longer-reading";
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

/** Opens the shared page in a state of the figures. */
async function pairsAt(more, ready, language = "en") {
  await follow(reader.page, fragment(language, more));
  return numbersOf(reader.page, stretch, ready);
}

const divisors = ({ pairs }) => pairs.map(({ before, after }) => before / after);
const kinds = ({ pairs }) => pairs.map(({ kind }) => kind[0]).join("");

test("in the small head 6 of 16 pairs complete a rotation, others do not", async () => {
  const plain = await pairsAt("&xm=none&xf=4", ({ method }) => method === "none");
  assert.deepEqual([plain.length, plain.headDim, plain.pairs.length], [128, 32, 16]);
  // 10000^(−2t/32) · 128 / 2π ≥ 1 up to t = 5.
  for (const [t, { before, hasRotated, isNew }] of plain.pairs.entries()) {
    close(before, 10000 ** (-t / 16), 1e-6);
    assert.equal(hasRotated, t < 6);
    assert.equal(isNew, t >= 6);
  }
});

test("interpolation divides every pair, other methods fewer, LongRoPE by a list", async () => {
  const linear = await pairsAt("&xm=linear&xf=4", ({ method }) => method === "linear");
  for (const divisor of divisors(linear)) close(divisor, 4, 1e-4);
  assert.equal(linear.pairs.filter(({ isNew }) => isNew).length, 0);

  // The base that divides the slowest of 16 pairs by 4: each is divided by 4^(t/15).
  const ntk = await pairsAt("&xm=ntk&xf=4", ({ method }) => method === "ntk");
  for (const [t, divisor] of divisors(ntk).entries()) close(divisor, 4 ** (t / 15), 1e-4);
  assert.equal(kinds(ntk), "k".padEnd(15, "b").padEnd(16, "d"));

  // Llama 3: unchanged from 4 rotations in training, divided below 1, blended in between.
  const llama = await pairsAt("&xm=llama3&xf=4", ({ method }) => method === "llama3");
  for (const { before, after } of llama.pairs) {
    const turns = (128 * before) / (2 * Math.PI);
    const keep = Math.min(1, Math.max(0, (turns - 1) / 3));
    close(after, before * (keep + (1 - keep) / 4), 1e-5);
  }

  const yarn = await pairsAt("&xm=yarn&xf=8", ({ factor }) => factor === 8);
  close(yarn.attentionFactor, 0.1 * Math.log(8) + 1, 1e-6);
  assert.equal(kinds(yarn), "kbbbbbdddddddddd");

  const searched = await pairsAt("&xm=longrope&xf=2", ({ method }) => method === "longrope");
  assert.deepEqual([searched.headDim, searched.factor], [96, 2]);
  // One list for factor 32: the factor changes the text's length, but not the divisors.
  const all = await pairsAt("&xm=longrope&xf=32", ({ factor }) => factor === 32);
  for (const answer of [searched, all]) {
    close(divisors(answer)[0], 1.03, 1e-4);
    close(divisors(answer)[47], 64.81, 1e-3);
    close(answer.attentionFactor, Math.sqrt(1 + Math.log(32) / Math.log(4096)), 1e-6);
    assert.equal(kinds(answer), kinds(all));
  }
  // Up to the trained length the other list is used, with the same temperature.
  const own = await pairsAt("&xm=longrope&xf=1", ({ factor }) => factor === 1);
  assert.ok(divisors(own).every((divisor) => divisor === 1));
  close(own.attentionFactor, all.attentionFactor, 1e-9);
});

test("with factor 1 nothing is new and nothing changes, with any method", async () => {
  for (const method of ["linear", "ntk", "by_parts", "yarn", "llama3"]) {
    const answer = await pairsAt(
      `&xm=${method}&xf=1`,
      (data) => data.method === method && data.factor === 1,
    );
    for (const divisor of divisors(answer)) close(divisor, 1, 1e-6);
    assert.equal(answer.attentionFactor, 1);
    assert.ok(answer.pairs.every(({ kind, isNew }) => kind === "kept" && !isNew));
  }
});

test("method, factor, head and ramp can be changed and are stored in the address", async () => {
  const { page, complaints } = reader;
  await pairsAt("&xm=yarn&xf=4", ({ method, factor }) => method === "yarn" && factor === 4);
  const figure = page.locator(stretch);
  await figure.locator("wf-choice.method label").nth(1).click();
  await awaitNumbers(page, stretch, ({ method }) => method === "linear");
  await awaitText(
    figure.locator("h3 span"),
    "PI (linear): no pair points where it never pointed in training",
  );
  await figure.locator("wf-slider.factor input").fill("16");
  await awaitNumbers(page, stretch, ({ factor }) => factor === 16);
  await figure.locator("details.all summary").click();
  await figure.locator("wf-choice.head label").nth(1).click();
  const llama = await awaitNumbers(page, stretch, ({ head }) => head === "llama");
  assert.equal(llama.pairs.length, 64);
  await figure.locator("details.all wf-slider input").first().fill("8");
  await awaitNumbers(page, stretch, ({ ramp }) => ramp[0] === 8);
  await page.waitForFunction(() => /xm=linear&xf=16&xh=llama&xr=8\.1/.test(location.hash));
  await figure.locator("details.table summary").click();
  assert.equal(await figure.locator("tbody tr").count(), 64);
  const chart = figure.locator("wf-scene.wavelengths");
  const cell = chart.locator("[role=gridcell]");
  await cell.focus();
  await page.keyboard.press("ArrowRight");
  await awaitText(
    chart.locator("[role=status]"),
    /^pair 2: divided; one rotation in [\d.,]+ tokens \([\d.,]+ in training\); no new angles$/,
  );
  assert.deepEqual(complaints, []);
});

test("the text grows from the trained length, and new angles appear", async () => {
  const { page, complaints } = reader;
  await pairsAt("&xm=none&xf=4", ({ method, factor }) => method === "none" && factor === 4);
  const figure = page.locator(stretch);
  const title = figure.locator("h3 span");
  const isNew = async () => Number(/\d+/.exec(await title.textContent())?.[0] ?? 0);
  // With reduced motion by steps.
  const counts = [];
  for (const tokens of [128, 256, 384, 512]) {
    await figure.locator("button.play").click();
    await awaitText(figure.locator(".row span"), `${tokens} tokens`);
    counts.push(await isNew());
  }
  assert.deepEqual(counts, [0, 10, 10, 10]);
  assert.deepEqual(complaints, []);
});

test("a number in the prose is the figure's: arrow keys there extend the pairs", async () => {
  const { page, complaints } = reader;
  await pairsAt("&xm=linear&xf=4", ({ method, factor }) => method === "linear" && factor === 4);
  const number = page.locator("p[lang=en] wf-scrub[field=stretchFactor]");
  await number.first().focus();
  await page.keyboard.press("ArrowRight");
  const answer = await awaitNumbers(page, stretch, ({ factor }) => factor === 5);
  assert.equal(answer.pairs.filter(({ isNew }) => isNew).length, 0);
  for (const one of await number.all()) assert.equal(await one.getAttribute("aria-valuenow"), "5");
  assert.deepEqual(complaints, []);
});

test("the code of the pairs prints their divisors", async () => {
  for (const method of ["yarn", "longrope"]) {
    const answer = await pairsAt(`&xm=${method}&xf=8`, (data) => data.method === method);
    const lines = await runCodeOf(reader.page, stretch);
    assert.equal(lines.length, answer.pairs.length + 1);
    const printed = lines.map((line) => Number(line.split(" ").at(-1)));
    for (const [pair, divisor] of divisors(answer).entries()) close(printed[pair], divisor, 1e-5);
    close(printed.at(-1), answer.attentionFactor ** 2, 1e-5);
  }
});

const trained = existsSync(`${pageFolder}/models/rope/model.safetensors`);
const skip = trained ? false : "the model is not trained yet";

test("the trained model's losses are those of the file, in the language of the text", {
  skip,
}, async () => {
  const { page, complaints } = reader;
  const { results } = JSON.parse(readFileSync(`${pageFolder}/models/extension.json`, "utf8"));
  await follow(page, fragment("zh", "&xs=none.yarn&xn=4"));
  const { scores, methods } = await numbersOf(
    page,
    longer,
    (data) => data.language === "zh" && data.multiple === 4,
  );
  assert.deepEqual(methods, ["none", "yarn"]);
  for (const [index, method] of methods.entries())
    assert.deepEqual(scores[index], results[method][4].zh);
  const reading = await page.locator(`${longer} .reading`).textContent();
  assert.ok(reading.includes(results.none[4].zh.bitsPerToken.toFixed(2)), reading);
  assert.deepEqual(complaints, []);
});

test("a text is read in the tab with every selected method, cancelled, and read by the code too", {
  skip,
  timeout: 300_000,
}, async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&xs=none.linear.yarn&xn=16"));
  await numbersOf(page, longer, ({ multiple }) => multiple === 16);
  const figure = page.locator(longer);
  await figure.locator("button.read").click();
  await figure.locator("button.cancel").click();
  await figure.locator("button.read").waitFor();
  assert.equal((await awaitNumbers(page, longer)).answer, undefined);

  await follow(page, fragment("en", "&xs=none.linear.yarn.longrope&xn=2"));
  await numbersOf(page, longer, ({ multiple, methods }) => multiple === 2 && methods.length === 4);
  await figure.locator("button.read").click();
  const { answer } = await awaitNumbers(page, longer, (data) => data.answer?.multiple === 2);
  assert.equal(answer.tokens, 256);
  const [plain, linear, yarn, searched] = answer.losses;
  for (const { byPosition, bitsPerToken } of answer.losses) {
    assert.equal(byPosition.length, 2);
    close((byPosition[0] + byPosition[1]) / 2, bitsPerToken, 1e-6);
  }
  // The mean over the whole text holds for this part of it.
  assert.ok(yarn.bitsPerToken < linear.bitsPerToken && plain.byPosition[0] < linear.byPosition[0]);
  assert.ok(searched.bitsPerToken < linear.bitsPerToken);
  const { results: lists } = JSON.parse(readFileSync(`${pageFolder}/models/longrope.json`, "utf8"));
  const note = await figure.locator(".note").textContent();
  assert.ok(note.includes(lists[2].divisors.join(", ")), note);
  assert.match(await figure.locator(".reading").textContent(), /Read here: the first 256 tokens/);
  const printed = (await runCodeOf(page, longer)).map((line) => Number(line.split(" ").at(-1)));
  for (const [index, { bitsPerToken }] of answer.losses.entries())
    close(printed[index], bitsPerToken, 1e-4);
  assert.deepEqual(complaints, []);
});
