// The figure that opens the reader's own models: it shows the engine's numbers, words its refusals,
// and keeps the open model after a refusal.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import {
  awaitNumbers,
  awaitText,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-open-checkpoint");

const tag = "wf-open-checkpoint";
const models = new URL("../../dist-web/models/", import.meta.url);
const weights = readFileSync(new URL("rope/model.safetensors", models));

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const isRead = (data) => data.stage === "open" && data.head && data.loss && !data.isRunning;

/** Opens a page whose figure has read its first text, with a small model's files to drop. */
async function opened(options = {}) {
  const tab = await openPage(session, { path: home, isAlone: true, ...options });
  await numbersOf(tab.page, tag, isRead);
  await tab.page.evaluate(async () => {
    const named = { "config.json": "rope/config.json", "tokenizer.json": "tokenizer.json" };
    named["model.safetensors"] = "rope/model.safetensors";
    window.files = await Promise.all(
      Object.entries(named).map(async ([name, path]) => {
        const response = await fetch(`/models/${path}`);
        return new File([await response.blob()], name);
      }),
    );
  });
  return { ...tab, figure: tab.page.locator(tag) };
}

/** Drops the files with these names. */
const drop = (page, names) =>
  page.locator(`${tag} .drop`).evaluate((place, wanted) => {
    const dataTransfer = new DataTransfer();
    for (const file of window.files) if (wanted.includes(file.name)) dataTransfer.items.add(file);
    place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, names);

const all = ["config.json", "tokenizer.json", "model.safetensors"];
const isDropped = (data) => isRead(data) && data.name === "model.safetensors";

const near = (actual, expected, max) => {
  const [a, b] = [Array.from(Object.values(actual)), Array.from(expected)];
  assert.equal(a.length, b.length);
  const largest = Math.max(...b.map((value, i) => Math.abs(a[i] - value)));
  assert.ok(largest <= max, `${largest}`);
};

test("dropped files give the package's numbers: maps, terms, losses, bent positions", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  await drop(page, all);
  const shown = await awaitNumbers(page, tag, isDropped);
  assert.equal(shown.model.numLayers * shown.model.numHeads, 16);
  assert.equal(shown.layersCome, 4);

  const wf = await load();
  const model = await wf.model({
    config: JSON.parse(readFileSync(new URL("rope/config.json", models), "utf8")),
    weights,
  });
  const region = { layers: [0], heads: [0] };
  const record = ["weights", "logits", "terms"];
  const expected = model.run(shown.ids, { record, region });
  near(shown.head.weights, expected.weights.data, 1e-6);
  near(shown.head.logits, expected.logits.data, 1e-5);
  near(shown.head.terms.content, expected.terms.content.data, 1e-5);
  near(shown.loss.trained.perToken, model.loss(shown.ids).perToken, 1e-5);

  await figure.locator("wf-choice.positions label").nth(1).click();
  const bent = await awaitNumbers(page, tag, (data) => isRead(data) && data.loss.now);
  const without = model.bend({ positions: "none" });
  near(bent.loss.now.perToken, without.loss(shown.ids).perToken, 1e-5);
  near(bent.head.weights, without.run(shown.ids, { record, region }).weights.data, 1e-6);
  assert.ok(bent.loss.now.mean > bent.loss.trained.mean + 0.1);

  await figure.locator("button.reset").click();
  await awaitNumbers(page, tag, (data) => isRead(data) && !data.loss.now);
  await figure.locator("wf-choice.method label").nth(2).click();
  const stretched = await awaitNumbers(page, tag, (data) => isRead(data) && data.loss.now);
  const ropeScaling = { ropeType: "linear", factor: 2, originalMaxPositionEmbeddings: 2048 };
  const { mean } = model.bend({ ropeScaling }).loss(shown.ids);
  assert.ok(Math.abs(stretched.loss.now.mean - mean) < 1e-5);

  await figure.locator("button.reset").click();
  await awaitNumbers(page, tag, (data) => isRead(data) && !data.loss.now);
  await figure.locator("wf-choice.remap label").nth(3).click();
  await awaitNumbers(page, tag, (data) => isRead(data) && data.loss.now);
  // From 64 tokens to 2.
  await figure.locator("wf-slider.window input").focus();
  await page.keyboard.press("Home");
  const remap = { method: "self_extend", window: 2, group: 4 };
  const grouped = model.bend({ remap }).loss(shown.ids).mean;
  await awaitNumbers(
    page,
    tag,
    (data) => isRead(data) && data.loss.now && Math.abs(data.loss.now.mean - grouped) < 1e-5,
  );
  assert.deepEqual(complaints, []);
  model.dispose();
  await close();
});

test("another head, a logarithmic scale, a hidden first token: no new request", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  const heads = figure.locator("wf-scene.heads [role=gridcell]");
  await heads.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const moved = await awaitNumbers(
    page,
    tag,
    (data) => data.head?.layer === 1 && data.head.head === 1,
  );
  const n = moved.ids.length;
  await figure.locator("wf-choice.by label").nth(1).click();
  await figure.locator("wf-choice.scale label").nth(1).click();
  await figure.locator("wf-choice.first label").nth(1).click();
  const map = figure.locator("wf-scene.map [role=gridcell]");
  await map.focus();
  await page.keyboard.press("End");
  const rows = Object.values(moved.head.weights);
  // Row 3, third column: its share without the first token.
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const share = rows[2 * n + 1] / (rows[2 * n + 1] + rows[2 * n + 2]);
  await awaitText(figure.locator("wf-frame .reading"), new RegExp(`takes ${share.toFixed(2)} `));
  assert.deepEqual(complaints, []);
  await close();
});

test("words of several tokens are read as words, unless the reader wants tokens", async () => {
  for (const [language, title, note] of [
    ["en", /takes 0\.\d\d of its attention from “\w+”/, "Some words are several tokens"],
    ["zh", /“.”把 0\.\d\d 的注意力给了“.”/, ""],
  ]) {
    const { page, figure, complaints, close } = await opened({ hash: fragment(language) });
    const data = await awaitNumbers(page, tag, isRead);
    const reading = figure.locator("wf-frame .reading");
    await awaitText(reading, title);
    const labels = () =>
      figure
        .locator("wf-scene.map")
        .evaluate(({ picture }) => picture.grids.map(({ rows, columns }) => [rows, columns]));
    const n = data.ids.length;
    if (note) {
      assert.equal(data.by, "word");
      const words = data.tokens.filter((token, at) => !at || !/^[a-z]/.test(token)).length;
      assert.ok(words < n, `${words} of ${n}`);
      assert.deepEqual(await labels(), [[words, words]]);
      assert.ok(await figure.getByText(note).isVisible());
      // A pair of words says which two tokens its terms are of.
      await awaitText(reading, /of their tokens, most from “[\w-]+” to “[\w-]+”: content/);
      await figure.locator("wf-choice.by label").nth(1).click();
      await awaitNumbers(page, tag, ({ by }) => by === "token");
      assert.equal(await figure.getByText(note).count(), 0);
    }
    assert.deepEqual(await labels(), [[n, n]]);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("all heads by two measures are computed once unfolded; a dot opens its head", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  const before = await awaitNumbers(page, tag, isRead);
  assert.equal(before.measured, undefined);
  await figure.locator("details.measured > summary").click();
  const { measured, model } = await awaitNumbers(
    page,
    tag,
    (data) => isRead(data) && data.measured,
  );
  const { numLayers, numHeads } = model;
  const shares = Object.values(measured.measures.previous);
  assert.equal(shares.length, numLayers * numHeads);
  const { length } = Object.values(measured.pairs.wavelengths);
  assert.equal(Object.values(measured.pairs.shares).length, numLayers * numHeads * length);

  // From left to right: the last dot has the largest share on the token before.
  const dots = figure.locator("wf-scene.dots [role=gridcell]");
  await dots.focus();
  await page.keyboard.press("End");
  const at = shares.indexOf(Math.max(...shares));
  const [layer, head] = [Math.floor(at / numHeads), at % numHeads];
  await awaitNumbers(page, tag, (data) => data.head?.layer === layer && data.head.head === head);

  await figure.locator("wf-choice.x label").first().click();
  assert.equal(await figure.locator("wf-scene.pairs [role=grid]").count(), 1);
  // No head of this model has a learned sink.
  assert.equal(await figure.locator("wf-choice.y label", { hasText: "nobody" }).count(), 0);
  // Another text has measures of its own.
  await figure.locator("wf-text-line textarea").fill("light and light");
  const isOther = (data) => isRead(data) && data.tokens.join("").startsWith("light");
  const other = await awaitNumbers(page, tag, (data) => isOther(data) && data.measured);
  assert.notDeepEqual(Object.values(other.measured.measures.previous), shares);
  assert.deepEqual(complaints, []);
  await close();
});

for (const [language, said, kept] of [
  [
    "en",
    /was not opened.*There is no model among these files/,
    /What was open before is still open/,
  ],
  ["zh", /没能打开.*这些文件里没有模型/, /先前打开的模型还在/],
])
  test(`a file that cannot be opened gives a message, the model stays: ${language}`, async () => {
    const { page, figure, complaints, close } = await opened({ hash: fragment(language) });
    const before = await awaitNumbers(page, tag, isRead);
    await drop(page, ["config.json", "tokenizer.json"]);
    const after = await awaitNumbers(page, tag, (data) => data.problem);
    assert.equal(after.problem.code, "invalid_argument");
    assert.equal(after.model.family, before.model.family);
    await awaitText(figure.locator(".failure"), said);
    await awaitText(figure.locator(".failure"), kept);
    await drop(page, ["model.safetensors"]);
    await awaitNumbers(page, tag, (data) => data.problem?.code === "malformed_file");
    // The open model still reads text.
    await figure.locator("wf-text-line textarea").fill("light and light");
    await awaitNumbers(page, tag, (data) => isRead(data) && data.tokens.join("").includes("light"));
    assert.deepEqual(complaints, []);
    await close();
  });

test("opening can be cancelled, a model closed, and smaller weights chosen", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  // Leaves the request without a response.
  await page.route("**/rope/model.safetensors", () => {});
  await figure.locator("button.sample").click();
  await awaitNumbers(page, tag, (data) => data.stage === "opening");
  await figure.locator("button.cancel").click();
  await awaitNumbers(page, tag, (data) => data.stage === "open" && !data.problem);
  await drop(page, all);
  await awaitNumbers(page, tag, isDropped);
  await figure.locator("wf-choice.dtype label").nth(4).click();
  const small = await awaitNumbers(
    page,
    tag,
    (data) => isDropped(data) && data.model.dtype === "int4",
  );
  assert.ok(small.model.weightBytes < weights.length);
  const ending = page
    .workers()
    .map((worker) => new Promise((resolve) => worker.once("close", resolve)));
  await figure.locator("button.close").click();
  await awaitNumbers(page, tag, (data) => data.stage === "closed");
  await awaitText(figure.locator("wf-frame .reading"), /No model is open/);
  // Its worker ends; those of the page's other figures keep running.
  await Promise.any(ending);
  assert.deepEqual(complaints, []);
  await close();
});

test("weights beyond f16's range give a message with types that can store them", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  const config = {
    ...JSON.parse(readFileSync(new URL("rope/config.json", models))),
    vocab_size: 8,
    hidden_size: 8,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    head_dim: 4,
    intermediate_size: 8,
  };
  const wf = await load();
  const sizes = { vocabSize: 8, hiddenSize: 8, numLayers: 1, numHeads: 2, intermediateSize: 8 };
  const bytes = Buffer.from((await wf.model({ ...sizes, scheme: "rope" })).save());
  bytes.writeFloatLE(1e6, 8 + Number(bytes.readBigUInt64LE(0)));
  await page.evaluate(
    ([json, base64]) => {
      const binary = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      window.files = [new File([json], "config.json"), new File([binary], "model.safetensors")];
    },
    [JSON.stringify(config), bytes.toString("base64")],
  );
  await figure.locator("wf-choice.dtype label").nth(2).click();
  await awaitNumbers(page, tag, (data) => isRead(data) && data.model.dtype === "f16");
  await drop(page, all);
  const alert = figure.locator(".failure[role=alert]");
  await awaitText(
    alert,
    /larger than the largest number.*dtype: "f16" \(expected "bf16" or "f32", since/s,
  );
  await figure.locator("button.other-type").first().click();
  const read = (data) => data.stage === "open" && data.name === "model.safetensors";
  await awaitNumbers(page, tag, (data) => read(data) && data.model.dtype === "bf16");
  assert.deepEqual(complaints, []);
  await close();
});

test("a model is stored, listed, opened without the network, and deleted", async () => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  await drop(page, all);
  const first = await awaitNumbers(page, tag, isDropped);
  await figure.locator("button.keep").click();
  const { kept } = await awaitNumbers(
    page,
    tag,
    (data) => isDropped(data) && data.kept.length === 1,
  );
  assert.equal(kept[0].name, "model.safetensors");
  assert.ok(kept[0].bytes > weights.length);
  await figure.locator("button.close").click();
  await page.context().setOffline(true);
  await figure.locator(".kept button").first().click();
  const again = await awaitNumbers(page, tag, isDropped);
  assert.equal(again.loss.trained.mean, first.loss.trained.mean);
  await drop(page, all);
  await awaitNumbers(page, tag, (data) => isDropped(data) && !data.problem);
  await figure.locator(".kept button").nth(1).click();
  await awaitNumbers(page, tag, (data) => data.kept.length === 0);
  // Without a network, other figures scrolled into view report failed requests.
  const own = complaints.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED"));
  assert.deepEqual(own, []);
  await close();
});

test("a chosen folder is the model in it, whatever its subfolders have", async (context) => {
  const { page, figure, complaints, close } = await opened({ hash: fragment("en") });
  const folder = join(mkdtempSync(join(tmpdir(), "whereformer-")), "small");
  context.after(() => rmSync(dirname(folder), { recursive: true }));
  // As in folders of sentence encoders.
  mkdirSync(join(folder, "1_Pooling"), { recursive: true });
  writeFileSync(join(folder, "1_Pooling/config.json"), '{"pooling_mode_mean_tokens": true}');
  for (const name of ["rope/config.json", "rope/model.safetensors", "tokenizer.json"])
    copyFileSync(new URL(name, models), join(folder, basename(name)));
  await figure.locator("input.folder").setInputFiles(folder);
  const { model, problem } = await awaitNumbers(
    page,
    tag,
    (data) => isRead(data) && data.name === "small",
  );
  assert.deepEqual([model.readsText, problem], [true, undefined]);
  assert.deepEqual(complaints, []);
  await close();
});

test("files without a tokenizer read token ids", async () => {
  const { page, figure, close } = await opened({ hash: fragment("zh") });
  await drop(page, ["config.json", "model.safetensors"]);
  const { ids } = await awaitNumbers(page, tag, (data) => isDropped(data) && !data.model.readsText);
  assert.deepEqual(ids, [1, 2, 3, 4, 5, 6]);
  await figure.locator("wf-text-line textarea").fill("1 2 x");
  await awaitNumbers(page, tag, (data) => data.failure?.code === "token_ids");
  await awaitText(
    figure.locator("wf-text-line .remark"),
    /^输入有误，需要的是 0 到 \d+ 的词元编号，用空格隔开。这些文件里没有可用的分词器/,
  );
  await figure.locator("wf-text-line textarea").fill("7, 8 9");
  await awaitNumbers(page, tag, (data) => isDropped(data) && data.ids.join() === "7,8,9");
  await close();
});
