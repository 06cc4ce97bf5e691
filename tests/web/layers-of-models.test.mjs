// What each layer of a model does about position: of models on show, and of the reader's file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "whereformer";
import {
  awaitNumbers,
  awaitText,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-layers";
const path = pathOfFigure(tag);
const read = (file) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8"));
const choose = (page, id) => page.locator(`${tag} input[value=${id}]`).check();
const onShow = read("web/figures/layers/configs.json");
const { configs } = read("tests/golden/checkpoints/configs.json");

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

test("the numbers of the models on show are those of their config.json", () => {
  for (const { checkpoint, config } of Object.values(onShow))
    for (const [key, value] of Object.entries(config))
      assert.deepEqual(value, configs[checkpoint][key], `${checkpoint}: ${key}`);
});

test("every layer is the package's, and the sentence counts the kinds", async () => {
  const wf = await load();
  const { page, complaints, close } = await openPage(session, { path, hash: fragment("en") });
  const figure = page.locator(tag);
  await numbersOf(page, tag);
  for (const [id, { config }] of Object.entries(onShow)) {
    await choose(page, id);
    const { layers, hasSinks } = await numbersOf(
      page,
      tag,
      (data) => data.config.model_type === config.model_type,
    );
    const known = await wf.modelConfig(config);
    const { scheme, slidingWindow } = known;
    assert.equal(layers.length, known.numLayers, id);
    assert.equal(hasSinks, known.sinks, id);
    for (const [at, layer] of layers.entries()) {
      const of = known.layers?.[known.layerTypes[at]] ?? { scheme, slidingWindow };
      assert.deepEqual(layer.scheme, of.scheme, `${id}, layer ${at}`);
      assert.equal(layer.slidingWindow, of.slidingWindow, `${id}, layer ${at}`);
    }
  }
  await choose(page, "gemma3");
  await awaitText(figure.locator("h3 span"), "18 layers of 2 kinds");
  await awaitText(figure.locator(".reading"), /15 of 18: .*10,000, the last 512 tokens/);
  await page.waitForFunction(() => !/ly=/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});

test("a config.json that the reader opens is drawn; another file is refused in words", async () => {
  const { page, complaints, close } = await openPage(session, { path, hash: fragment("zh") });
  const figure = page.locator(tag);
  const failure = figure.locator("[part=failure]");
  await numbersOf(page, tag);
  const give = (name, text) =>
    figure
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await give("config.json", JSON.stringify(configs["microsoft/phi-2"]));
  await awaitNumbers(page, tag, ({ config }) => config.model_type === "phi");
  await awaitText(figure.locator(".reading"), /32 层.*只转 40% 的通道/);
  await give("config.json", JSON.stringify(configs["Qwen/Qwen3-Next-80B-A3B-Instruct"]));
  await awaitText(figure.locator(".reading"), /门控 delta 规则/);
  await give("notes.json", "no json");
  await failure.filter({ hasText: "notes.json" }).waitFor();
  await give("config.json", JSON.stringify({ model_type: "rwkv" }));
  await failure.filter({ hasText: "引擎不接受" }).waitFor();
  await choose(page, "lfm2");
  await awaitText(figure.locator(".reading"), /对 3 个词元做卷积/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the code prints what each layer does", async () => {
  const { page, close } = await openPage(session, { path, hash: fragment("en", "&ly=smollm3") });
  await numbersOf(page, tag, ({ config }) => config.model_type === "smollm3");
  const printed = await runCodeOf(page, tag);
  assert.equal(printed.length, 36);
  assert.match(printed[0], /^1 rope 5000000 all$/);
  assert.match(printed[3], /^4 nope +all$/);
  await close();
});
