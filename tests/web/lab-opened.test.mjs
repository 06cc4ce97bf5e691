// A checkpoint that the reader has opened is a model of the lab: its maps equal the package's, it
// can be changed by surgery, and an address does not contain it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import { familyFile } from "../package/families.mjs";
import { safetensors } from "../package/safetensors.mjs";
import {
  awaitNumbers,
  awaitText,
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-lab");

const lab = "wf-lab";
const open = "wf-open-checkpoint";
const models = new URL("../../dist-web/models/", import.meta.url);
const configOf = (id) => JSON.parse(readFileSync(new URL(`${id}/config.json`, models), "utf8"));
const weightsOf = (id) => readFileSync(new URL(`${id}/model.safetensors`, models));

let session;
let wf;
before(async () => {
  [session, wf] = await Promise.all([openBrowser(), load()]);
});
after(() => session.close());

const isRead = (data) => data.stage === "open" && data.head && !data.isRunning;

/** Opens a page with the lab in a given state, and starts the figure that opens models. */
async function labAt(more, language = "en") {
  const hash = fragment(language, `&z=${more}`);
  const tab = await openPage(session, { path: home, isAlone: true, hash });
  await numbersOf(tab.page, open, isRead);
  await numbersOf(tab.page, lab);
  return tab;
}

const give = (page, files) =>
  page
    .locator(`${open} input.files`)
    .setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: "", buffer })));

/** Returns the files of a model with another scheme, as a reader has them. */
const alibiFiles = () => [
  ["config.json", Buffer.from(JSON.stringify(configOf("alibi")))],
  ["tokenizer.json", readFileSync(new URL("tokenizer.json", models))],
  ["mine.safetensors", weightsOf("alibi")],
];

const near = (found, wanted, max = 1e-5) => {
  const list = Object.values(found);
  assert.equal(list.length, wanted.length);
  for (const [at, value] of list.entries())
    if (!Number.isNaN(value)) assert.ok(Math.abs(value - wanted[at]) <= max, `${at}: ${value}`);
};

test("without a checkpoint, its entry in the list of models says how to open one", async () => {
  for (const [language, said] of [
    ["en", /No checkpoint is open, and an address cannot hold one: open it in the section above\./],
    ["zh", /没有打开的模型，地址里也放不下模型：在上一节打开它。/],
  ]) {
    const { page, complaints, close } = await labAt("s~rope.opened", language);
    const { opened } = await awaitNumbers(page, lab);
    assert.equal(opened, undefined);
    await awaitText(page.locator(`${lab} .maps .refused`), said);
    assert.equal(await page.locator(`${lab} .hint a[href="#open"]`).count(), 1);
    assert.equal(await page.locator(`${lab} .maps wf-map-view`).count(), 1);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("an opened checkpoint is shown beside models, with the package's numbers", async () => {
  const { page, complaints, close } = await labAt("s~rope.opened!l~2!h~1");
  await give(page, alibiFiles());
  const { opened, tokens } = await numbersOf(page, lab, (data) => data.opened?.values);
  assert.deepEqual([opened.layer, opened.head], [2, 1]);
  assert.deepEqual(opened.tokens.length, tokens.length);
  const model = await wf.model({ config: configOf("alibi"), weights: weightsOf("alibi") });
  const region = { layers: [2], heads: [1] };
  near(opened.values, model.run(opened.ids, { record: ["weights"], region }).weights.data);
  await awaitText(page.locator(`${lab} .maps h4`).nth(1), "mine.safetensors");

  const choose = async (name, value) => {
    const input = page.locator(`${lab} wf-choice.${name} input[value="${value}"]`);
    await input.focus();
    await page.keyboard.press("Space");
  };
  await choose("part", "position");
  const { opened: position } = await awaitNumbers(
    page,
    lab,
    (data) => data.opened?.part === "position",
  );
  near(position.values, model.run(opened.ids, { record: ["terms"], region }).terms.distance.data);

  await choose("operation", "zero");
  await choose("operated", "opened");
  await choose("part", "weights");
  const { opened: after } = await awaitNumbers(
    page,
    lab,
    (data) => data.opened?.part === "weights" && data.opened.operated?.values,
  );
  const surgery = { zero: ["distance"] };
  assert.equal(after.operated.inForce.value, "distance");
  near(
    after.operated.values,
    model.run(opened.ids, { record: ["weights"], region, surgery }).weights.data,
  );
  const bits = (options) => model.loss(opened.ids, options).mean / Math.LN2;
  near(
    [after.operated.textLoss.before, after.operated.textLoss.after],
    [bits({}), bits({ surgery })],
    1e-4,
  );
  const [plain, operated] = [{}, { surgery }].map((more) => bits(more).toFixed(3));
  const said = new RegExp(`mine.safetensors: Without .* costs it ${operated} bits .* of ${plain}`);
  await awaitText(page.locator(`${lab} .reading`), said);
  await page.waitForFunction(() => /s%7Erope\.opened/.test(location.hash));
  assert.match(await page.locator(`${lab} .caveat`).textContent(), /no address holds a file/);

  // Closing it in its figure releases its memory, and its entry says again how to open one.
  await page.locator(`${open} button.close`).click();
  await bringIntoView(page.locator(`${lab} .maps`));
  await awaitText(page.locator(`${lab} .maps .refused`), /No checkpoint is open/);
  assert.deepEqual(complaints, []);
  await close();
});

test("only the model reads held-out text; a missing layer becomes the last", async () => {
  const { page, complaints, close } = await labAt("s~opened!n~128!l~9!h~1");
  await give(page, alibiFiles());
  const { opened, maps } = await numbersOf(page, lab, (data) => data.opened?.values);
  assert.deepEqual(maps, []);
  assert.equal(opened.layer, 3);
  assert.ok(opened.tokens.length > 100, `${opened.tokens.length}`);
  await awaitText(page.locator(`${lab} .maps h4`), "mine.safetensors: layer 4, head 2, its last");
  assert.deepEqual(complaints, []);
  await close();
});

test("a checkpoint without a tokenizer is marked as such", async () => {
  const { page, complaints, close } = await labAt("s~rope.opened", "zh");
  const { config, weights } = familyFile("bart");
  await give(page, [
    ["config.json", Buffer.from(JSON.stringify(config))],
    ["model.safetensors", Buffer.from(safetensors(weights))],
  ]);
  await awaitNumbers(page, open, (data) => isRead(data) && data.model.decoder);
  await numbersOf(page, lab, (data) => data.opened?.failure);
  await awaitText(page.locator(`${lab} .maps .refused`), /没有分词器，读不了文字/);
  assert.deepEqual(complaints, []);
  await close();
});
