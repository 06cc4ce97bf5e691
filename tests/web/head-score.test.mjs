// A head's score by distance: the pair that outweighs the rest brings it back where the ghosts are.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-head-score";
const trained = existsSync(`${pageFolder}/models/rope/model.safetensors`);
const skip = trained ? false : "the model is not trained yet";
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const list = (numbers) => Object.values(numbers);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
});
after(() => session.close());

async function scoreAt(choice, language = "en") {
  await follow(reader.page, fragment(language, `&hp=${choice}`));
  return numbersOf(
    reader.page,
    tag,
    (data) => data.choice === choice && data.language === language,
  );
}

for (const language of ["en", "zh"])
  test(`the score is highest where section 1 sees ghosts, ${language}`, { skip }, async () => {
    const {
      pairs,
      returning,
      swings,
      head,
      peaks,
      trained: longest,
    } = await scoreAt("all", language);
    assert.equal(returning, 6);
    const { period, start, strength } = pairs[returning];
    close(period, 2 * Math.PI * 10_000 ** (6 / 16), 1e-2);
    close(swings[returning], 2 * strength, 0.01 * strength);
    // It outweighs the others, and is highest a little before a full turn.
    for (const [pair, swing] of swings.entries())
      if (pair !== returning) assert.ok(swing < 0.5 * swings[returning], `pair ${pair}: ${swing}`);
    assert.ok(start > 0.75 && start < 1, `${start}`);
    for (const [turn, peak] of peaks.entries()) close(peak, (turn + start) * period, period / 5);
    for (const [turn, peak] of peaks.slice(0, 3).entries())
      assert.ok(peak < (turn + 1) * period, `${turn}: ${peak}`);
    const { ghosts } = await numbersOf(
      reader.page,
      "wf-ghosts",
      (data) => data.language === language,
    );
    for (const { crest, distance } of ghosts)
      close(peaks[Math.floor(crest / period)], distance, 10);
    // As high as close by, as the essay says.
    const near = Math.max(...list(head).slice(0, longest));
    assert.equal(near, 0);
    const far = Math.max(...list(head).slice(longest));
    assert.ok(far > -1, `${far}`);
    const without = await scoreAt("without", language);
    assert.deepEqual(without.peaks, []);
    const range = (scores) => Math.max(...scores) - Math.min(...scores);
    const shrunk = range(list(without.head).slice(longest)) / range(list(head).slice(longest));
    assert.ok(shrunk < 0.7, `${shrunk}`);
  });

test("the pair alone scores highest beyond the training", { skip }, async () => {
  for (const language of ["en", "zh"]) {
    const { alone, pairs, returning, trained: longest } = await scoreAt("all", language);
    const { period, strength, start } = pairs[returning];
    for (const distance of [0, 100, 178, 2048])
      close(alone[distance], strength * Math.cos(2 * Math.PI * (distance / period - start)), 1e-4);
    const within = list(alone).slice(0, longest);
    assert.ok(Math.max(...list(alone)) > Math.max(...within) + 0.1 * strength, language);
    // Within it, close by is highest: the pair above it is the first that has come round there.
    assert.equal(Math.max(...within), alone[0]);
    assert.ok(pairs[returning - 1].period < longest && period > longest);
  }
});

test("labels of peaks stand above the line of 0, and each chart has its scale", {
  skip,
}, async () => {
  const { peaks } = await scoreAt("all");
  const marks = await reader.page
    .locator(`${tag} wf-scene`)
    .evaluate(({ picture }) => picture.marks.filter(({ kind }) => kind === "text"));
  const zero = marks.filter(({ text }) => text === "0");
  const labels = marks.filter(
    ({ text, weight }) =>
      weight === 600 && peaks.some((peak) => peak.toLocaleString("en") === text),
  );
  assert.ok(labels.length > 3, `${labels.length}`);
  const axis = zero.find(
    ({ y, align }) => align === "right" && y > Math.max(...labels.map((one) => one.y)),
  );
  // The baseline of a number on the axis is 4 below its line.
  for (const { y, text } of labels) assert.ok(y + 4 <= axis.y - 4, text);
  for (const said of [/^its part of the score/, /^mean score, 0 =/, /another scale$/])
    assert.ok(
      marks.some(({ text }) => said.test(text)),
      `${said}`,
    );
  assert.equal(marks.filter(({ text }) => /^seen in training/.test(text)).length, 1);
});

test("ALiBi subtracts the distance times the slopes of the paper", { skip }, async () => {
  const { biases, heads } = await scoreAt("all");
  assert.equal(heads, 4);
  const distances = list(biases).length / heads;
  for (let head = 0; head < heads; head++)
    for (const distance of [0, 1, 100, 2048])
      close(biases[head * distances + distance], -distance * 2 ** (-2 * (head + 1)), 1e-3);
});

test("a choice takes the pair out; the code prints the pairs", { skip }, async () => {
  const { page, complaints } = reader;
  const { pairs } = await scoreAt("all");
  await awaitText(page.locator(`${tag} h3`), /^In this head pair 7 outweighs the rest/);
  await page.locator(`${tag} wf-choice input`).nth(1).check({ force: true });
  await awaitText(page.locator(`${tag} h3`), /^Without pair 7/);
  const lines = await runCodeOf(page, tag);
  assert.equal(lines.length, pairs.length);
  for (const [pair, line] of lines.entries()) {
    const [period, strength, start] = line.split(" ").map(Number);
    close(period / pairs[pair].period, 1, 1e-5);
    close(strength, pairs[pair].strength, 1e-3);
    close(start, pairs[pair].start, 1e-3);
  }
  assert.deepEqual(complaints, []);
});
