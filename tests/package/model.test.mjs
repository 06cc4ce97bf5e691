import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { engines, golden, near, refused, rejected, variants, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const small = {
  vocabSize: 32,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
  scheme: "rope",
};
const letters = {
  encode: (text) => [...text].map((letter) => letter.charCodeAt(0) - 96),
  decode: (ids) => ids.map((id) => String.fromCharCode(id + 96)).join(""),
};

for (const variant of variants) {
  describe(variant, () => {
    for (const name of ["model_rope", "model_alibi", "model_nope", "encoder_nope"]) {
      test(`${name}: logits, loss and maps equal the reference`, async () => {
        const { config, weights, inputIds, labels, logits, loss, attention, tolerance } =
          golden(name);
        const model = await engines[variant].model({ config, weights: safetensors(weights) });
        const [batch, length] = inputIds.shape;
        const [layers, , heads] = attention.shape;
        const map = length * length;
        for (let entry = 0; entry < batch; entry++) {
          const ids = inputIds.data.slice(entry * length, (entry + 1) * length);
          const result = model.run(ids, { record: ["vocabularyLogits", "weights"] });
          const size = length * config.vocab_size;
          near(
            result.vocabularyLogits.data,
            logits.data.slice(entry * size, (entry + 1) * size),
            tolerance.logits,
          );
          const expected = Array.from({ length: layers }, (_, layer) => {
            const from = (layer * batch + entry) * heads * map;
            return attention.data.slice(from, from + heads * map);
          }).flat();
          assert.deepEqual(result.weights.shape, [layers, heads, length, length]);
          near(result.weights.data, expected, tolerance.attention, "map");
        }
        meanLoss(model, { inputIds, labels, loss, tolerance });
      });
    }
  });
}

/** The reference scores labels[t] with the logits of token t; loss() scores the ids themselves. */
function meanLoss(model, { inputIds, labels, loss, tolerance }) {
  const [batch, length] = inputIds.shape;
  const vocabulary = model.config.vocabSize;
  let sum = 0;
  let counted = 0;
  for (let entry = 0; entry < batch; entry++) {
    const ids = inputIds.data.slice(entry * length, (entry + 1) * length);
    const { data } = model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
    for (let t = 0; t < length; t++) {
      const label = labels.data[entry * length + t];
      if (label < 0) continue;
      sum += nats(data.subarray(t * vocabulary, (t + 1) * vocabulary), label);
      counted++;
    }
  }
  near([sum / counted], [loss], tolerance.loss, "loss");
}

function nats(logits, target) {
  const highest = Math.max(...logits);
  return (
    highest +
    Math.log(logits.reduce((total, logit) => total + Math.exp(logit - highest), 0)) -
    logits[target]
  );
}

test("loss is the cross-entropy of each next id, in nats", async () => {
  const model = await wf.model(small);
  const ids = [3, 1, 4, 1, 5, 9, 2, 6];
  const { mean, perToken } = model.loss(ids);
  const { data } = model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  const expected = ids.slice(1).map((id, t) => nats(data.subarray(t * 32, (t + 1) * 32), id));
  near(perToken, expected, 1e-5);
  near([mean], [expected.reduce((a, b) => a + b) / 7], 1e-5);
});

test("a new model depends only on its config and its seed", async () => {
  const run = async (config) =>
    (await wf.model(config)).run([1, 2, 3], { record: ["hidden"] }).hidden.data;
  const first = await run({ ...small, seed: 5 });
  assert.deepEqual(await run({ ...small, seed: 5 }), first);
  assert.notDeepEqual(await run({ ...small, seed: 6 }), first);
  const { config, parameterCount } = await wf.model(small);
  assert.deepEqual(config, {
    vocabSize: 32,
    hiddenSize: 16,
    numLayers: 2,
    numHeads: 4,
    numKvHeads: 2,
    headDim: 4,
    intermediateSize: 24,
    rmsNormEps: 1e-5,
    isCausal: true,
    initializerRange: 0.02,
    softcap: 0,
    finalSoftcap: 0,
    sinks: false,
    scheme: [{ id: "rope", options: wf.scheme("rope", { numHeads: 4, headDim: 4 }).options }],
  });
  const layer = 16 * 16 * 2 + 16 * 8 * 2 + 3 * 16 * 24 + 2 * 16;
  assert.equal(parameterCount, 32 * 16 + 2 * layer + 16);
});

test("the record covers the requested region; terms sum to the logits in every layer", async () => {
  const model = await wf.model({ ...small, scheme: ["rope", { id: "alibi" }] });
  const region = { layers: [1], heads: [0, 2], rows: [3], columns: [0, 1, 2, 3] };
  const { terms, logits, weights, pairs } = model.run([1, 2, 3, 4, 5], {
    record: ["weights", "logits", "terms", "pairs"],
    region,
  });
  assert.deepEqual(weights.shape, [1, 2, 1, 4]);
  assert.deepEqual(pairs.shape, [1, 2, 1, 4, 2]);
  assert.deepEqual(Object.keys(terms), ["content", "rotation", "distance"]);
  const sum = logits.data.map((_, i) =>
    Object.values(terms).reduce((total, term) => total + term.data[i], 0),
  );
  near(sum, logits.data, 1e-6);
});

test("positions can be set; shifting all of them changes nothing under rope", async () => {
  const model = await wf.model(small);
  const hidden = (positions) =>
    model.run([7, 8, 9], { record: ["hidden"], ...(positions ? { positions } : {}) }).hidden.data;
  near(hidden([0, 1, 2]), hidden(), 0);
  near(hidden([50, 51, 52]), hidden(), 1e-5);
  assert.notDeepEqual(hidden([0, 10, 20]), hidden());
});

test("saving and loading are exact in f32, and within half precision in f16", async () => {
  const model = await wf.model({ ...small, seed: 3 });
  const logits = (m) => m.run([1, 2, 3, 4], { record: ["vocabularyLogits"] }).vocabularyLogits.data;
  const again = await wf.model({ config: small, weights: model.save() });
  assert.deepEqual(logits(again), logits(model));
  const half = model.save({ dtype: "f16" });
  assert.ok(half.length < 0.6 * model.save().length);
  const rounded = await wf.model({ config: small, weights: half });
  near(logits(rounded), logits(model), 2e-3);
  assert.notDeepEqual(logits(rounded), logits(model));
});

test("text is encoded by the tokenizer, and ids are decoded", async () => {
  const model = await wf.model(small, { tokenizer: letters });
  const { ids, tokens } = model.run("cab");
  assert.deepEqual(
    [ids, tokens],
    [
      [3, 1, 2],
      ["c", "a", "b"],
    ],
  );
  const written = [];
  for await (const { text } of model.generate("ab", { maxTokens: 3, topK: 5 })) written.push(text);
  assert.equal(written.length, 3);
  assert.ok(written.every((text) => text.length === 1));
});

const collect = async (tokens) => {
  const ids = [];
  for await (const { id } of tokens) ids.push(id);
  return ids;
};

test("generation depends on its seed; temperature 0 takes the most likely token", async () => {
  const model = await wf.model({ ...small, seed: 9 });
  const options = { maxTokens: 12, seed: 4 };
  const first = await collect(model.generate([1, 2], options));
  assert.equal(first.length, 12);
  assert.deepEqual(await collect(model.generate([1, 2], options)), first);
  assert.notDeepEqual(await collect(model.generate([1, 2], { ...options, seed: 5 })), first);

  const ids = [1, 2];
  for (const id of await collect(model.generate([1, 2], { maxTokens: 6, temperature: 0 }))) {
    const { data } = model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
    const last = [...data.slice(-32)];
    assert.ok(last[id] > Math.max(...last) - 1e-4, `${id} after ${ids}`);
    ids.push(id);
  }
  assert.deepEqual(
    await collect(model.generate([1, 2], { maxTokens: 6, topK: 1, seed: 77 })),
    ids.slice(2),
    "a choice among one token differs from temperature 0",
  );
});

test("generation stops at stopId and at an abort, and releases its memory", async () => {
  const model = await wf.model(small);
  const all = await collect(model.generate([1], { maxTokens: 8, seed: 1 }));
  const stopped = await collect(model.generate([1], { maxTokens: 8, seed: 1, stopId: all[3] }));
  assert.deepEqual(stopped, all.slice(0, all.indexOf(all[3])));
  const either = { maxTokens: 8, seed: 1, stopId: [all[5], all[3]] };
  const first = Math.min(all.indexOf(all[3]), all.indexOf(all[5]));
  assert.deepEqual(await collect(model.generate([1], either)), all.slice(0, first));
  assert.deepEqual(await collect(model.generate([1], { ...either, stopId: [] })), all);
  const control = new AbortController();
  const seen = [];
  const reading = (async () => {
    for await (const token of model.generate([1], { maxTokens: 1000, signal: control.signal })) {
      seen.push(token);
      if (seen.length === 5) control.abort();
    }
  })();
  await rejected(reading, "aborted");
  assert.equal(seen.length, 5);
  refused(() => model.generate([1], { signal: AbortSignal.abort() }), "aborted");
});

test("messages arrive while a model generates, without a timer between tokens", async (context) => {
  const model = await wf.model(small);
  const timers = context.mock.method(globalThis, "setTimeout");
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  const control = new AbortController();
  port1.on("message", () => control.abort());
  const options = { maxTokens: 1e5, signal: control.signal };
  const reading = (async () => {
    for await (const { id } of model.generate([1], options)) if (id >= 0) port2.postMessage(id);
  })();
  await rejected(reading, "aborted");
  assert.equal(timers.mock.callCount(), 0);
});

test("a model may be disposed of while it generates", async () => {
  const model = await wf.model(small);
  const tokens = model.generate([1], { maxTokens: 4 });
  await tokens.next();
  model.dispose();
  assert.equal((await collect(tokens)).length, 3);
});

test("a folder, its parts by URL, and a Blob give the same model", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "whereformer-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const { config, weights } = golden("model_rope");
  mkdirSync(join(folder, "rope"));
  const bytes = safetensors(weights);
  writeFileSync(join(folder, "rope/config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "rope/model.safetensors"), bytes);
  const place = pathToFileURL(join(folder, "rope"));
  const run = (model) => model.run([1, 2, 3], { record: ["hidden"] }).hidden.data;
  const expected = run(await wf.model({ config, weights: bytes }));
  const steps = [];
  const onProgress = (loaded, total) => steps.push([loaded, total]);
  assert.deepEqual(run(await wf.model(place, { onProgress })), expected);
  assert.deepEqual(steps.at(-1), [bytes.length, bytes.length]);
  assert.deepEqual(run(await wf.model(`${place.href}/`)), expected);
  const parts = { config: new Blob([JSON.stringify(config)]), weights: new Blob([bytes]) };
  assert.deepEqual(run(await wf.model(parts)), expected);
  const urls = {
    config: `${place.href}/config.json`,
    weights: new URL(`${place.href}/model.safetensors`),
  };
  assert.deepEqual(run(await wf.model(urls)), expected);
  assert.deepEqual(run(await wf.model({ config, weights: bytes.buffer })), expected);
});

/** Serves config.json, and the weights slowly, piece by piece. */
async function slowServer(context, files) {
  const server = createServer(async (request, response) => {
    const body = files[request.url];
    if (!body) return response.writeHead(404).end();
    response.writeHead(200, { "content-length": body.length });
    for (let from = 0; from < body.length && !response.destroyed; from += 4096) {
      response.write(body.subarray(from, from + 4096));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

test("a download reports progress, can be aborted, and reports errors", async (context) => {
  const { config, weights } = golden("model_nope");
  const bytes = safetensors(weights);
  const text = Buffer.from(JSON.stringify(config));
  const origin = await slowServer(context, {
    "/m/config.json": text,
    "/m/model.safetensors": Buffer.from(bytes),
  });
  const steps = [];
  await wf.model(`${origin}/m/`, { onProgress: (loaded, total) => steps.push([loaded, total]) });
  assert.ok(steps.length > 1);
  assert.ok(
    steps.every(
      ([loaded, total], i) => total === bytes.length && loaded >= (steps[i - 1]?.[0] ?? 0),
    ),
  );
  assert.equal(steps.at(-1)[0], bytes.length);
  const control = new AbortController();
  const loading = wf.model(`${origin}/m/`, {
    signal: control.signal,
    onProgress: () => control.abort(),
  });
  await rejected(loading, "aborted");
  const missing = await rejected(wf.model(`${origin}/none/`), "network", /404/);
  assert.equal(missing.details.status, 404);
  await rejected(wf.model("http://127.0.0.1:9/"), "network", /could not be reached/);
});

test("broken files are refused by name, and the engine still works", async () => {
  const { config, weights } = golden("model_rope");
  const good = safetensors(weights);
  const refusedWith = (bytes, message) =>
    rejected(wf.model({ config, weights: bytes }), "malformed_file", message);
  await refusedWith(new Uint8Array(0));
  await refusedWith(good.slice(0, 100));
  await refusedWith(good.slice(0, good.length - 4));
  await refusedWith(new TextEncoder().encode("<!doctype html><title>404</title>"));
  const huge = good.slice();
  huge.fill(255, 0, 8);
  await refusedWith(huge);
  const { "model.norm.weight": _, ...rest } = weights;
  await refusedWith(safetensors(rest), /model\.norm\.weight/);
  await refusedWith(
    safetensors({ ...weights, "model.extra.weight": { shape: [1], data: [0] } }),
    /model\.extra\.weight/,
  );
  const misshapen = {
    ...weights,
    "model.norm.weight": { shape: [4, 4], data: new Array(16).fill(1) },
  };
  await refusedWith(safetensors(misshapen), /model\.norm\.weight/);
  await rejected(
    wf.model({ config: new Blob(["{"]), weights: good }),
    "malformed_file",
    /not JSON/,
  );
  await rejected(
    wf.model({ config: { ...config, tie_word_embeddings: false }, weights: good }),
    "unsupported",
    /tie_word_embeddings/,
  );
  // Granite's factors, which would change every score if they were ignored.
  for (const factor of ["embedding_multiplier", "residual_multiplier", "logits_scaling"]) {
    await rejected(
      wf.model({ config: { ...config, [factor]: 12 }, weights: good }),
      "unsupported",
      new RegExp(`${factor}.*expected 1`),
    );
  }
  await rejected(
    wf.model({ config: { ...config, attention_multiplier: 1 }, weights: good }),
    "unsupported",
    /attention_multiplier/,
  );
  const spiral = {
    ...config,
    schemes: undefined,
    rope_parameters: { rope_type: "spiral", rope_theta: 1e4, factor: 4 },
  };
  await rejected(wf.model({ config: spiral, weights: good }), "invalid_argument", /spiral/);
  assert.equal((await wf.model({ config, weights: good })).config.vocabSize, 19);
});
