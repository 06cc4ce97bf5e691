// Compares SmolLM2-135M and all-MiniLM-L6-v2 in the engine with Transformers (reference.py). Run it
// with run.mjs, which lists its requirements.

import assert from "node:assert/strict";
import { openAsBlob, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as library from "@huggingface/tokenizers";
import { load } from "whereformer";

const out = fileURLToPath(new URL("../../build/real", import.meta.url));
const reference = JSON.parse(readFileSync(join(out, "reference.json"), "utf8"));
const { smollm2, minilm } = reference;

const sources = {
  "the GGUF file, as a Blob": () => openAsBlob(smollm2.gguf),
  "the folder that Transformers made of it": () => pathToFileURL(smollm2.folder),
};
/** All maps of 512 tokens at once would be 283 MB. */
const layersAtOnce = 10;
const texts = {
  english: fileURLToPath(new URL("../../models/length/genesis.txt", import.meta.url)),
  chinese: join(out, "chinese.txt"),
};
const windowsInText = 6;
const bars = {
  loss: 1e-4,
  maps: 1e-4,
  cosine: 1e-4,
  vectors: 1e-5,
  quick: 0.01,
  f16: 2e-3,
  bf16: 2e-2,
};

/**
 * Divides a text into windows of as many tokens as the reference has; checks that the first window
 * has the reference's tokens.
 */
function windowsOf(model, name, { ids }) {
  const text = readFileSync(texts[name], "utf8").slice(0, 24_000);
  const all = [...model.tokenizer.encode(text)];
  const windows = Array.from({ length: windowsInText }, (_, k) =>
    all.slice(k * ids.length, (k + 1) * ids.length),
  );
  assert.deepEqual(windows[0], ids);
  assert.equal(windows.at(-1).length, ids.length);
  return windows;
}

for (const dtype of ["int8", "int4"]) {
  test(`SmolLM2-135M, ${dtype}: rounded activations keep the loss`, async (context) => {
    const wf = await load();
    const model = await wf.model(await openAsBlob(smollm2.gguf), { dtype, tokenizer: library });
    for (const [name, text] of Object.entries(smollm2.texts)) {
      const losses = windowsOf(model, name, text).map((ids) =>
        [true, false].map((exact) => model.loss(ids, { exact }).mean),
      );
      const [[exact, quick]] = losses;
      // Differences vary between windows by about 0.005 nats, so the mean is compared.
      const added = losses.map(([before, after]) => after - before);
      const mean = added.reduce((sum, each) => sum + each) / added.length;
      context.diagnostic(
        `${name}: ${text.loss.toFixed(4)} nats in floats, ${exact.toFixed(4)} in ${dtype}, ` +
          `${quick.toFixed(4)} with rounded activations; ${mean.toFixed(4)} more in the mean of ` +
          `${added.length} windows, at most ${Math.max(...added).toFixed(4)}`,
      );
      assert.ok(Math.abs(quick - exact) <= bars.quick);
      assert.ok(Math.abs(mean) <= bars.quick);
    }
    model.dispose();
  });
}

// The weights of the GGUF file are 4-bit integers times scales, which 16 bits round once more.
for (const dtype of ["f16", "bf16"]) {
  test(`SmolLM2-135M, ${dtype}: rounded weights keep the loss`, async (context) => {
    const wf = await load();
    const model = await wf.model(await openAsBlob(smollm2.gguf), { dtype, tokenizer: library });
    for (const [name, { ids, loss }] of Object.entries(smollm2.texts)) {
      const { mean } = model.loss(ids);
      context.diagnostic(`${name}: ${loss.toFixed(5)} nats in floats, ${mean.toFixed(5)}`);
      assert.ok(Math.abs(mean - loss) <= bars[dtype]);
    }
    model.dispose();
  });
}

for (const [title, source] of Object.entries(sources)) {
  describe(`SmolLM2-135M, ${title}`, () => {
    let model;
    before(async () => {
      const wf = await load();
      const from = await source();
      const [rss, started] = [process.memoryUsage().rss, process.cpuUsage()];
      let most = 0;
      const onProgress = () => {
        most = Math.max(most, process.memoryUsage().rss);
      };
      model = await wf.model(from, { tokenizer: library, onProgress });
      const { user, system } = process.cpuUsage(started);
      const above = (most - rss - 4 * model.parameterCount) / 1e6;
      const seconds = ((user + system) / 1e6).toFixed(2);
      console.log(`${seconds} s of processor time with its tokenizer`);
      // Nothing is printed for the second model, which reuses the memory of the first.
      if (above > 0) console.log(`at most ${above.toFixed(0)} MB above the weights`);
    });
    after(() => model.dispose());

    for (const [name, { ids, loss, prompt, written }] of Object.entries(smollm2.texts)) {
      test(`${name}: the same loss within ${bars.loss} nats on ${ids.length} tokens`, (context) => {
        const off = Math.abs(model.loss(ids).mean - loss);
        context.diagnostic(`${loss} nats; off by ${off}`);
        assert.ok(off <= bars.loss);
      });

      test(`${name}: the tokenizer gives the same ids and decodes them to the same text`, () => {
        const text = model.tokenizer.decode(ids);
        assert.deepEqual(model.tokenizer.encode(text).slice(0, ids.length - 2), ids.slice(0, -2));
      });

      test(`${name}: all maps within ${bars.maps}`, (context) => {
        let farthest = 0;
        const { numLayers } = model.config;
        for (let first = 0; first < numLayers; first += layersAtOnce) {
          const layers = Array.from({ length: numLayers }, (_, i) => i).slice(
            first,
            first + layersAtOnce,
          );
          const { data } = model.run(ids, { record: ["weights"], region: { layers } }).weights;
          const count = data.length / layers.length;
          for (const [slot, layer] of layers.entries()) {
            const bytes = readFileSync(join(out, `maps-${name}-${layer}.f32`));
            const expected = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
            assert.equal(count, expected.length);
            for (let i = 0; i < count; i++)
              farthest = Math.max(farthest, Math.abs(data[slot * count + i] - expected[i]));
          }
        }
        context.diagnostic(`off by ${farthest}`);
        assert.ok(farthest <= bars.maps);
      });

      test(`${name}: the ${written.length} tokens of greedy generation are the same`, async () => {
        const ids = [];
        const options = { maxTokens: written.length, temperature: 0 };
        for await (const { id } of model.generate(prompt, options)) ids.push(id);
        assert.deepEqual(ids, written);
      });
    }

    test("bend: another base changes the result, the trained base does not", (context) => {
      const ids = smollm2.texts.english.ids.slice(0, 128);
      const { mean } = model.loss(ids);
      const at = (bend) => model.bend(bend).loss(ids).mean;
      const found = {
        trained: mean,
        nearer: at({ ropeTheta: 1e4 }),
        none: at({ positions: "none" }),
      };
      context.diagnostic(JSON.stringify(found));
      assert.equal(at({ ropeTheta: model.configFile.rope_theta ?? 1e5 }), mean);
      assert.ok(Math.abs(found.nearer - mean) > 1e-3);
      assert.ok(found.none > mean + 0.5);
    });
  });
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

test(`all-MiniLM-L6-v2: normalised means of sentences within ${bars.vectors}`, async (context) => {
  const wf = await load();
  const model = await wf.model(pathToFileURL(minilm.folder), { tokenizer: library });
  assert.equal(model.family, "bert");
  const { from, mode, normalize, maxTokens, dimensions } = model.pooling;
  assert.deepEqual([from, mode, normalize], ["modules.json", "mean", true]);
  assert.deepEqual([maxTokens, dimensions], [256, 384]);
  minilm.sentences.forEach((sentence, i) => {
    const ids = model.tokenizer.encode(sentence);
    if (ids.length <= maxTokens) assert.deepEqual(ids, minilm.ids[i]);
    else assert.equal(minilm.ids[i].length, maxTokens);
  });
  const vectors = model.embed(minilm.sentences).map((vector) => [...vector]);
  let farthest = 0;
  let farthestCosine = 0;
  for (const [i, one] of vectors.entries()) {
    const expected = minilm.vectors[i];
    farthest = Math.max(farthest, ...one.map((x, k) => Math.abs(x - expected[k])));
    for (const [j, other] of vectors.entries()) {
      const off = Math.abs(dot(one, other) - dot(expected, minilm.vectors[j]));
      farthestCosine = Math.max(farthestCosine, off);
    }
  }
  context.diagnostic(`off by ${farthest}, cosines by ${farthestCosine}`);
  assert.ok(farthest <= bars.vectors);
  assert.ok(farthestCosine <= bars.cosine);
});
