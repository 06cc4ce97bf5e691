// A reader's own encoder-decoder model: maps of encoder, decoder and cross-attention equal the
// package's numbers, losses are those of the decoder's text, and a bend applies to the decoder.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import { familyFile } from "../package/families.mjs";
import { safetensors } from "../package/safetensors.mjs";
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
let session;
let wf;
before(async () => {
  [session, wf] = await Promise.all([openBrowser(), load()]);
});
after(() => session.close());

const record = ["weights", "logits", "terms"];
const isRead = (data) => data.stage === "open" && data.head && !data.isRunning;

const near = (actual, expected, max) => {
  const [a, b] = [Object.values(actual), [...expected]];
  assert.equal(a.length, b.length);
  for (const [i, value] of b.entries()) assert.ok(Math.abs(a[i] - value) <= max, `${a[i] - value}`);
};

/** Opens the page with a tiny model of the family, and loads the same files with the package. */
async function opened(name, language) {
  const { config, weights } = familyFile(name);
  const bytes = safetensors(weights);
  const tab = await openPage(session, { path: home, isAlone: true, hash: fragment(language) });
  await numbersOf(tab.page, tag, isRead);
  const figure = tab.page.locator(tag);
  await figure.locator("input.files").setInputFiles([
    { name: "config.json", mimeType: "", buffer: Buffer.from(JSON.stringify(config)) },
    { name: "model.safetensors", mimeType: "", buffer: Buffer.from(bytes) },
  ]);
  const shown = await awaitNumbers(tab.page, tag, (data) => isRead(data) && data.model.decoder);
  return { ...tab, figure, shown, model: await wf.model({ config, weights: bytes }) };
}

/** Computes with the package what the figure shows of one head. */
function expectedOf(model, { ids, written, part }, { layer, head }, surgery) {
  const options = { record, region: { layers: [layer], heads: [head] } };
  if (part === "encoder") return model.encode(ids, options);
  const more = surgery ? { surgery } : {};
  const result = model.run(ids, { ...options, decoderTokens: written, ...more });
  return part === "cross" ? result.cross : result;
}

for (const [name, language, start] of [
  ["t5", "en", 0],
  ["bart", "zh", 2],
])
  test(`${name}: maps, scores and terms of each part are the package's: ${language}`, async () => {
    const { page, figure, shown, model, complaints, close } = await opened(name, language);
    const { numLayers, numHeads } = model.config;
    assert.deepEqual(shown.written, [start, 7, 8, 9]);
    assert.deepEqual(
      [shown.model.numLayers, shown.model.numHeads],
      [model.encoderConfig.numLayers, model.encoderConfig.numHeads],
    );
    const { mean, perToken } = model.loss(shown.ids, { labels: shown.written.slice(1) });
    for (const [i, part] of ["encoder", "decoder", "cross"].entries()) {
      await figure.locator("wf-choice.part label").nth(i).click();
      const isThere = (data) => isRead(data) && data.part === part && data.head.part === part;
      const data = await awaitNumbers(page, tag, isThere);
      const expected = expectedOf(model, data, { layer: 0, head: 0 });
      near(data.head.weights, expected.weights.data, 1e-5);
      near(data.head.logits, expected.logits.data, 1e-5);
      near(data.head.terms.content, expected.terms.content.data, 1e-5);
      assert.equal(data.layersCome, part === "encoder" ? shown.model.numLayers : numLayers);
      near(data.loss.trained.perToken, perToken, 1e-5);
      near([data.loss.trained.mean], [mean], 1e-5);
    }
    const cross = await numbersOf(page, tag, isRead);
    assert.equal(Object.keys(cross.head.weights).length, 4 * 6);
    // The last head of the last layer, which the encoder may not have.
    const heads = figure.locator("wf-scene.heads [role=gridcell]");
    await heads.focus();
    await page.keyboard.press("Control+End");
    for (let i = 0; i < numLayers * numHeads; i++) {
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowDown");
    }
    const place = { layer: numLayers - 1, head: numHeads - 1 };
    const last = await awaitNumbers(
      page,
      tag,
      ({ head }) => head.layer === place.layer && head.head === place.head,
    );
    near(last.head.weights, expectedOf(model, last, place).weights.data, 1e-5);
    // Back at the encoder, layer and head are ones that it has.
    await figure.locator("wf-choice.part label").first().click();
    const again = await awaitNumbers(
      page,
      tag,
      (data) => isRead(data) && data.head.part === "encoder",
    );
    const { layer, head } = again.head;
    assert.ok(layer < shown.model.numLayers && head < shown.model.numHeads);
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

for (const [language, said] of [
  ["en", /Bent is how the decoder reads what it has written/],
  ["zh", /改动的是解码器看自己所写内容的方式/],
])
  test(`a bend applies to the decoder, and the figure says so: ${language}`, async () => {
    const { page, figure, shown, model, complaints, close } = await opened("t5", language);
    await awaitText(figure.locator(".bend"), said);
    const encoder = Object.values(shown.head.weights);
    await figure.locator("wf-choice.positions label").nth(1).click();
    const bent = await awaitNumbers(page, tag, (data) => isRead(data) && data.loss.now);
    near(bent.head.weights, encoder, 0);
    const { surgery } = model.bend({ positions: "none" });
    const labels = shown.written.slice(1);
    near(bent.loss.now.perToken, model.loss(shown.ids, { labels, surgery }).perToken, 1e-5);
    assert.notEqual(bent.loss.now.mean, bent.loss.trained.mean);
    await figure.locator("wf-choice.part label").nth(1).click();
    const decoder = await awaitNumbers(
      page,
      tag,
      (data) => isRead(data) && data.head.part === "decoder",
    );
    const expected = expectedOf(model, decoder, { layer: 0, head: 0 }, surgery);
    near(decoder.head.weights, expected.weights.data, 1e-5);
    assert.deepEqual(complaints, []);
    model.dispose();
    await close();
  });

test("the decoder's text can be changed, and wrong ids give a message", async () => {
  const { page, figure, model, complaints, close } = await opened("bart", "en");
  const field = figure.locator("wf-text-line.written textarea");
  await field.fill("11 12 13 14 15");
  const isThere = (data) => isRead(data) && data.loss && data.written.length === 6;
  const { ids, written, loss } = await awaitNumbers(page, tag, isThere);
  const { perToken } = model.loss(ids, { labels: written.slice(1) });
  near(loss.trained.perToken, perToken, 1e-5);
  await field.fill("11 29");
  await awaitNumbers(page, tag, (data) => data.failure?.code === "token_ids");
  await awaitText(figure.locator("wf-text-line .remark").first(), /from 0 to 28/);
  assert.deepEqual(complaints, []);
  model.dispose();
  await close();
});
