// What sections 7 and 9 of the essay say of the trained rotary model in a long text: in most heads,
// attention by distance follows a pair of channels that training never brought round; and without
// that pair in the head of section 1, the loss stays as it was.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import { load } from "../../dist/index.js";
import { states } from "./essay-text.mjs";

const wf = await load();
const models = new URL("../../models/", import.meta.url);
const text = (name) => readFileSync(new URL(name, models), "utf8");
const trained = 128;
const farthest = 1023;
/** Of the pairs that come round within these distances. */
const periods = Array.from({ length: 16 }, (_, pair) => 2 * Math.PI * 10_000 ** (pair / 16)).filter(
  (period) => period < farthest,
);

/** The rotary model, and the first tokens of a text that it was not trained on. */
async function readIn(language) {
  const tokenizer = new Tokenizer(JSON.parse(text("tokenizer.json")), {});
  const { ids } = tokenizer.encode(text(`heldout/${language}.txt`).slice(0, 20_000), {
    add_special_tokens: false,
  });
  const model = await wf.model({
    config: JSON.parse(text("rope/config.json")),
    weights: readFileSync(new URL("rope/model.safetensors", models)),
  });
  return { ids: ids.slice(0, 2049), model };
}

/** The pair, from 0, whose wave explains most of these values at distances from `trained` on. */
function strongestWave(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const power = periods.map((period) => {
    const turned = (at) => (2 * Math.PI * (at + trained)) / period;
    const along = (wave) =>
      values.reduce((sum, value, at) => sum + (value - mean) * wave(turned(at)), 0);
    return along(Math.cos) ** 2 + along(Math.sin) ** 2;
  });
  return power.indexOf(Math.max(...power));
}

for (const language of ["en", "zh"])
  test(`most heads follow a hand that comes round after the training, ${language}`, async () => {
    const { ids, model } = await readIn(language);
    const { curve } = model.heads(ids.slice(0, 2048), { maxDistance: farthest });
    const size = farthest + 1;
    const heads = Array.from({ length: 16 }, (_, head) =>
      curve.data.subarray(head * size + trained, (head + 1) * size),
    );
    const strongest = heads.map((values) =>
      strongestWave(Array.from(values, (value) => Math.log(value + 1e-7))),
    );
    // Hands 7, 8 and 9: a turn in 199, 353 and 628 tokens.
    const following = strongest.filter((pair) => pair >= 6 && pair <= 8).length;
    states("07-dial", { en: ["they follow hand 7, 8 or 9"], zh: ["第 7、8 或 9 根指针"] });
    assert.ok(following >= 11, `${following} of 16: ${strongest.map((pair) => pair + 1)}`);
    assert.equal(strongest[4], 6, "the head of the ghosts: layer 2, head 1");
    assert.ok(periods[5] < trained && periods[6] > trained);
  });

for (const language of ["en", "zh"])
  test(`ghosts cost next to nothing, reading so far 0.8 bits, ${language}`, async () => {
    const { ids, model } = await readIn(language);
    const bits = (from, to, options) => model.loss(ids.slice(from, to), options).mean / Math.LN2;
    const surgery = { layers: [1], heads: [0], dropPairs: [6] };
    const long = bits(0, 2049);
    const changed = bits(0, 2049, { surgery });
    states("09-inside", {
      en: ["less than 0.03 bits a token", "at least 0.8 bits"],
      zh: ["不到 0.03 比特", "至少要多花 0.8 比特"],
    });
    assert.ok(Math.abs(changed - long) < 0.03, `${long} and ${changed}`);
    const windows = Array.from({ length: 16 }, (_, at) =>
      bits(at * trained, (at + 1) * trained + 1),
    );
    const short = windows.reduce((sum, loss) => sum + loss, 0) / windows.length;
    assert.ok(long - short > 0.8, `${short} and ${long}`);
  });
