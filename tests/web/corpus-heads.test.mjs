// One text beside the whole held-out text: heads.json read, compared, jumped to, and missed; and which
// models stand side by side. The numbers of the file are made up here, so that each has to arrive.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pageFolder } from "./browser.mjs";
import { openSources } from "./modules.mjs";

const length = 8;
const reach = 5;
// Of all attention: farther than 5 back, then 5 to 1 back, on itself.
const evenMass = [0.1, 0.05, 0.05, 0.1, 0.1, 0.2, 0.4];
const even = { windows: 2, mass: evenMass, previous: 0.2, induction: 0.05, delimiter: 0.1 };
const scores = (previous, terms) => ({
  ...even,
  mass: [0.05, 0.02, 0.03, 0.05, 0.05, 0.3, 0.5],
  previous,
  terms,
});

/** 4 × 4 heads of which one looks back at the token before; in Chinese another one. */
function headsFile(term) {
  const heads = (best) =>
    Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => {
        const name = `${Math.floor(index / 4)}.${index % 4}`;
        const terms = term ? { content: 1 - index / 20, [term]: index / 20 } : { content: 1 };
        return [name, scores(name === best ? 0.91 : 0.3, terms)];
      }),
    );
  const results = {
    en: { uniform: even, ...heads("1.2") },
    zh: { uniform: { ...even, metre: 0.04 }, ...heads("2.0") },
  };
  for (const [name, head] of Object.entries(results.zh)) if (name !== "uniform") head.metre = 0.4;
  return { command: "npm run heads -- --scheme made-up", length, reach, results };
}

test("mass becomes the mean weight at each distance, over the rows that reach that far", async () => {
  const sources = await openSources();
  const { massByDistance, massWithin, readHeads, scoreOf, strongestHead, likeText } =
    await sources.load("/engine/page/corpus-heads.ts");
  const { weightByDistance } = await sources.load("/engine/both/measures.ts");
  // A map of 8 rows whose mass is counted as the file counts it must give what the map itself gives.
  const n = length;
  const map = new Float32Array(n * n);
  const mass = new Array(reach + 2).fill(0);
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let key = 0; key <= row; key++) sum += 1 + ((row * 5 + key * 3) % 7);
    for (let key = 0; key <= row; key++) {
      const weight = (1 + ((row * 5 + key * 3) % 7)) / sum;
      map[row * n + key] = weight;
      mass[Math.max(0, reach + 1 - (row - key))] += weight / n;
    }
  }
  const byDistance = massByDistance({ mass }, { length: n, reach });
  const own = weightByDistance(map, n);
  for (let distance = 0; distance <= reach; distance++)
    assert.ok(Math.abs(byDistance[distance] - own[distance]) < 1e-6, `${distance} tokens back`);
  assert.ok(Math.abs(massWithin({ mass: evenMass }, 1) - 0.6) < 1e-12);

  const { texts } = readHeads(headsFile("rotation"));
  assert.deepEqual(strongestHead(texts.en, "previous"), { layer: 1, head: 2, value: 0.91 });
  assert.deepEqual(strongestHead(texts.zh, "previous"), { layer: 2, head: 0, value: 0.91 });
  assert.deepEqual(strongestHead(texts.en, "position"), { layer: 3, head: 3, value: 0.75 });
  assert.equal(strongestHead(texts.en, "metre"), undefined, "no verse in English");
  const alone = readHeads(headsFile(undefined)).texts.en.heads.get("0.0");
  assert.equal(scoreOf(alone, "position"), undefined, "content alone is no zero of position");
  assert.deepEqual(["And God", "床前 light"].map(likeText), ["en", "zh"]);
  await sources.close();
});

const has = (id) => existsSync(`${pageFolder}/models/${id}/model.safetensors`);
const first = ["nope", "rope", "alibi"];
const skip = first.every(has) ? false : "the models are not trained yet";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** A page whose models folder says that these heads have been measured. */
async function openMeasured(measured, options = {}) {
  const index = JSON.parse(readFileSync(`${pageFolder}/models/index.json`, "utf8"));
  const prepare = async (page) => {
    await page.route("**/models/index.json", (route) =>
      route.fulfill({ json: { ...index, heads: Object.keys(measured) } }),
    );
    for (const [id, term] of Object.entries(measured))
      await page.route(`**/models/${id}/heads.json`, (route) =>
        route.fulfill({ json: headsFile(term) }),
      );
  };
  const hash = fragment(options.language ?? "en", options.more);
  return openPage(session, { hash, prepare, ...options });
}

/** Text of a part, with single spaces. */
const textOf = async (locator) => (await locator.textContent()).replace(/\s+/g, " ");

const measured = { rope: "rotation", alibi: "alibi" };

test("this text beside the corpus, for the models that were measured", { skip }, async () => {
  const { page, complaints, close } = await openMeasured(measured);
  const { curves, language } = await numbersOf(page, "wf-distance-curve", (data) =>
    data.curves.slice(1).every(({ corpus }) => corpus),
  );
  assert.equal(language, "en");
  assert.deepEqual(
    curves.map(({ scheme, corpus }) => [scheme, corpus !== undefined]),
    [
      ["nope", false],
      ["rope", true],
      ["alibi", true],
    ],
  );
  const head = Object.values(curves[1].corpus.head);
  assert.equal(head.length, reach + 1);
  assert.ok(Math.abs(head[1] - (0.3 * length) / (length - 1)) < 1e-6);
  const figure = page.locator("wf-distance-curve");
  const reading = await figure.locator(".reading").textContent();
  assert.match(reading, /and over all of the held-out English text: .*RoPE\) \d+\s% and 93\s%;/);
  assert.match(await figure.locator(".note").textContent(), /npm run heads -- --scheme made-up/);

  // Heads are chosen by what they are good at, in every figure of the section.
  const previous = figure.locator(".score[data-kind=previous]");
  assert.match(await textOf(previous), /0\.30 evenly spread 0\.20/);
  assert.equal(await figure.locator(".score[data-kind=metre]").count(), 0, "no verse in English");
  await previous.locator("button.jump").first().click();
  await numbersOf(page, "wf-real-heads", ({ layer, head }) => layer === 1 && head === 2);
  assert.match(await textOf(previous), /0\.91 evenly spread 0\.20 the model’s strongest/);
  assert.match(
    await figure.locator(".score[data-kind=position]").textContent(),
    /content 0\.70, rotation 0\.30/,
  );
  await page.waitForFunction(
    () => location.hash.includes("cl=1") && location.hash.includes("ch=2"),
  );

  // The held-out text is that of the language in which one types.
  await page.locator("wf-real-heads textarea").fill("床前明月光，疑是地上霜。");
  await numbersOf(page, "wf-distance-curve", (data) => data.language === "zh");
  assert.match(
    await textOf(figure.locator(".score[data-kind=metre]")),
    /0\.40 evenly spread 0\.04/,
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("where no head was measured the figure says so and asks for nothing", { skip }, async () => {
  const { page, complaints, close } = await openMeasured({}, { language: "zh" });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const { curves } = await numbersOf(page, "wf-distance-curve");
  assert.ok(curves.every(({ corpus }) => corpus === undefined));
  const figure = page.locator("wf-distance-curve");
  assert.match(await figure.locator(".note").textContent(), /还没有在留出文本上测过/);
  assert.equal(await figure.locator(".score").count(), 0);
  assert.deepEqual(
    asked.filter((address) => address.endsWith("heads.json")),
    [],
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("the models that are there can be chosen, two to four of them", { skip }, async () => {
  const { page, complaints, close } = await openMeasured({}, { more: "&cs=alibi.nope.nonsense" });
  const two = await numbersOf(page, "wf-real-heads");
  assert.deepEqual(
    two.readings.map(({ scheme }) => scheme),
    ["alibi", "nope"],
  );
  const index = JSON.parse(readFileSync(`${pageFolder}/models/index.json`, "utf8"));
  const boxes = page.locator("wf-real-heads wf-several input");
  assert.deepEqual(
    await boxes.evaluateAll((list) => list.map(({ value }) => value)),
    index.schemes,
  );
  assert.ok(index.schemes.every(has), "each of them has weights");
  assert.equal(await page.locator("wf-real-heads wf-several input:checked:disabled").count(), 2);
  await page.locator('wf-real-heads wf-several input[value="rope"]').check();
  const three = await numbersOf(page, "wf-real-heads", ({ readings }) => readings.length === 3);
  assert.deepEqual(
    three.readings.map(({ scheme }) => scheme),
    index.schemes.filter((id) => first.includes(id)),
  );
  const { sums } = await numbersOf(page, "wf-score-terms", (data) => data.sums.length === 3);
  assert.equal(sums.length, 3);
  assert.match(await page.locator("wf-real-heads h3").textContent(), /three ways to say where/);
  await page.waitForFunction(() => /cs=\w+\.\w+\.\w+(&|$)/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});
