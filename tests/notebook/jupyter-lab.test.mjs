// Figures in JupyterLab: every one is drawn, a head is changed from Python and in the picture, and
// the theme follows.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { emptyFolder, installWheel, writeNotebook } from "./environment.mjs";
import {
  awaitElement,
  openBrowser,
  printed,
  runCell,
  runNotebook,
  setTheme,
  startLab,
} from "./lab.mjs";

const cells = [
  `import numpy as np
import whereformer as wf
rng = np.random.default_rng(0)
def attention(*shape):
    logits = 2 * rng.normal(size=shape)
    logits[..., ~np.tri(shape[-1], dtype=bool)] = -np.inf
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)
small = attention(2, 4, 6, 6)
w = wf.attention_map(small, "the cat sat on the mat".split(), head=2)
w`,
  'wf.logit_terms({"content": [1, 2, 3.5], "position": [0, -1, -2]}, ["a", "b", "c"])',
  'wf.encoding(scheme="sinusoidal")',
  'wf.bias_by_distance(scheme="alibi", heads=4)',
  'wf.length_curves({"RoPE": [2, 3, None], "ALiBi": [2, 2.1, 2.2]}, [64, 128, 256], trained=64)',
  `wf.rotation({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "dtype": None,
    "rope_theta": 500_000, "max_position_embeddings": 512}, position=30)`,
  'wf.figure("who-chases")',
  "everyone = wf.heads(small)\neveryone",
  'wf.layers({"loss": [3.1, 2.8, 2.6]}, heading="Loss by layer")',
];
const tags = [
  "wf-attention-map",
  "wf-logit-terms",
  "wf-encoding-heatmap",
  "wf-bias-by-distance",
  "wf-loss-by-length",
  "wf-rotation-dials",
  "wf-who-chases",
  "wf-heads",
];

let folder;
let lab;
let page;
let closeBrowser;
before(async () => {
  const { program } = await installWheel();
  folder = emptyFolder("lab");
  writeNotebook(join(folder, "figures.ipynb"), cells);
  lab = await startLab(program, folder);
  ({ page, close: closeBrowser } = await openBrowser());
  await runNotebook(page, lab, "figures.ipynb");
});
after(async () => {
  await closeBrowser?.();
  lab?.close();
});

for (const tag of tags)
  test(`${tag} is drawn in JupyterLab`, async () => {
    await page.waitForSelector(tag, { state: "attached" });
    await page.locator(tag).first().scrollIntoViewIfNeeded();
    await awaitElement(page, tag, (figure) => figure.data !== undefined);
    const failure = await page.evaluate((name) => document.querySelector(name).failure, tag);
    assert.equal(failure, undefined);
    await page
      .locator(tag)
      .first()
      .screenshot({ path: join(folder, `${tag}.png`) });
  });

test("a head that Python sets is drawn, with that head's numbers", async () => {
  await runCell(page, "w.head = 3");
  await awaitElement(page, "wf-attention-map", (figure) => figure.head === 3);
  await runCell(page, "print('row', *small[0, 3, 5].round(3))");
  const [, text] = await printed(page, "row ([\\d. ]+)");
  const expected = text.trim().split(" ").map(Number);
  await awaitElement(
    page,
    "wf-attention-map",
    (figure, row) => row.every((value, at) => Math.abs(figure.data.values[30 + at] - value) < 1e-3),
    expected,
  );
});

test("a head and a cell that the reader chooses arrive in Python", async () => {
  await page.locator("wf-attention-map .cell").first().focus();
  // The first scene is the grid of heads: one step to the left is head 2.
  await page.keyboard.press("ArrowLeft");
  await runCell(page, "print('head is', w.head)");
  await printed(page, "head is [0-2]");
  await page.locator("wf-attention-map wf-map-view .cell").focus();
  await page.keyboard.press("ArrowDown");
  await runCell(
    page,
    `p = w.picked
exact = float(np.float32(small[0, w.head, p["row"], p["column"]]))
print("picked", p["row"], p["column"], p["value"] == exact)`,
  );
  await printed(page, "picked 1 0 True");
});

test("a head that the reader chooses among all arrives in Python", async () => {
  await page.locator('wf-heads [data-grid="heads"]').first().focus();
  await page.keyboard.press("ArrowRight");
  await runCell(page, "print('of all', everyone.layer, everyone.head)");
  await printed(page, "of all 0 1");
  await runCell(
    page,
    `own = small[0, 1][np.arange(1, 6), np.arange(5)].mean()
print("before", abs(everyone.picked["previous"] - own) < 1e-6)`,
  );
  await printed(page, "before True");
  await runCell(page, "everyone.layer, everyone.head = 1, 3");
  await awaitElement(page, "wf-heads", (figure) => figure.layer === 1 && figure.head === 3);
});

test("the figures are dark in the dark theme, and light again in the light one", async () => {
  const paper = () =>
    page.evaluate(
      () => getComputedStyle(document.querySelector("wf-attention-map")).backgroundColor,
    );
  for (const [theme, isDark] of [
    ["JupyterLab Dark", true],
    ["JupyterLab Light", false],
  ]) {
    await setTheme(page, theme);
    await awaitElement(
      page,
      "wf-attention-map",
      (figure, wanted) => figure.theme === wanted,
      isDark ? "dark" : "light",
    );
    const [red] = (await paper()).match(/\d+/g).map(Number);
    assert.ok(isDark ? red < 60 : red > 200, `${theme}: ${red}`);
    await page.locator("wf-attention-map").first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, isDark ? "dark.png" : "light.png") });
  }
});

test("12 layers of 12 × 512 × 512 are drawn one head at a time: the time is printed", async () => {
  await runCell(page, "many = attention(12, 12, 512, 512)\nprint('many is', 'there')");
  await printed(page, "many is there");
  const started = Date.now();
  await runCell(page, "wf.attention_map(many, log=True)");
  await page.waitForFunction(() => {
    const found = [...document.querySelectorAll("wf-attention-map")];
    return found.length > 1 && found.at(-1).data?.rows === 512;
  });
  const milliseconds = Date.now() - started;
  console.log(`from display to picture, 12 × 12 × 512 × 512: ${milliseconds} ms`);
  const { values, counts } = await page.evaluate(() => {
    const { data } = [...document.querySelectorAll("wf-attention-map")].at(-1);
    return { values: data.values.length, counts: data.counts };
  });
  assert.equal(values, 512 * 512);
  assert.deepEqual(counts, { layers: 12, heads: 12 });
});
