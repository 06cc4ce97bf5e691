import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { near, refused, rejected, wf } from "./golden.mjs";
import "./with-training.mjs";

const sizes = {
  vocabSize: 19,
  hiddenSize: 16,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
};
/** The layers of Llama 4 in small: three chunked rotary layers, then one without positions. */
const mixed = {
  ...sizes,
  numLayers: 4,
  layerTypes: ["near", "near", "near", "far"],
  layers: {
    near: { scheme: { id: "rope", options: { ropeTheta: 100 } }, chunkSize: 4 },
    far: {
      scheme: { id: "nope", options: { temperatureScale: 0.5, temperatureFloor: 3 } },
      slidingWindow: 6,
    },
  },
};
const ids = Array.from({ length: 12 }, (_, i) => (7 * i + 3) % 19);
const file = {
  vocab_size: 19,
  hidden_size: 16,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 24,
};
const stored = (model, config) => ({ config, weights: model.save() });

describe("layers that differ", () => {
  test("a layer type's window, chunk and terms apply to its own layers only", async () => {
    const model = await wf.model(mixed);
    const { weights, terms, logits } = model.run(ids, { record: ["weights", "terms", "logits"] });
    assert.deepEqual(Object.keys(terms), ["content", "rotation", "temperature"]);
    const cells = ids.length ** 2;
    const at = (tensor, layer, head, query, key) =>
      tensor.data[(layer * 4 + head) * cells + query * ids.length + key];
    for (let layer = 0; layer < 4; layer++) {
      for (let query = 0; query < ids.length; query++) {
        for (let key = 0; key < ids.length; key++) {
          const near = Math.floor(query / 4) === Math.floor(key / 4);
          const sees = key <= query && (layer < 3 ? near : query - key < 6);
          assert.equal(at(weights, layer, 1, query, key) > 0, sees);
          assert.equal(at(terms.rotation, 3, 1, query, key), 0);
          assert.equal(at(terms.temperature, 0, 1, query, key), 0);
        }
      }
    }
    const sum = logits.data.map((_, i) =>
      Object.values(terms).reduce((total, term) => total + term.data[i], 0),
    );
    near(sum, logits.data, 1e-5);
  });

  test("the returned config is complete, and makes the same model again", async () => {
    const model = await wf.model({ ...mixed, seed: 3 });
    const { config } = model;
    assert.deepEqual(config.scheme, []);
    assert.deepEqual(config.layerTypes, mixed.layerTypes);
    assert.equal(config.layers.near.chunkSize, 4);
    assert.equal("slidingWindow" in config.layers.near, false);
    assert.equal(config.layers.near.scheme[0].options.ropeTheta, 100);
    const again = await wf.model({ ...config, seed: 3 });
    assert.deepEqual(again.save(), model.save());
    const short = await wf.model({ ...sizes, numLayers: 2, scheme: "alibi", slidingWindow: 5 });
    assert.equal(short.config.scheme[0].id, "alibi");
    assert.equal(short.config.slidingWindow, 5);
    assert.equal(short.config.layers, undefined);
  });

  test("a model with layer types generates like whole texts, and trains", async () => {
    const model = await wf.model({ ...mixed, seed: 3 });
    const written = [...ids];
    for await (const { id } of model.generate(ids, { maxTokens: 8, temperature: 0 })) {
      const { vocabularyLogits } = model.run(written, { record: ["vocabularyLogits"] });
      const last = vocabularyLogits.data.slice(-19);
      assert.equal(id, last.indexOf(Math.max(...last)));
      written.push(id);
    }
    const trainer = wf.trainer({ config: mixed, task: { id: "copy" }, length: 11 });
    const losses = trainer.step(80);
    assert.ok(losses.at(-1) < 0.95 * losses[0], `${losses[0]} to ${losses.at(-1)}`);
    assert.deepEqual(trainer.model().config.layerTypes, mixed.layerTypes);
  });

  test("no_rope_layers of a config.json (SmolLM3) gives layers without rotation", async () => {
    const model = await wf.model({
      ...sizes,
      numLayers: 4,
      layerTypes: ["turned", "turned", "turned", "plain"],
      layers: { turned: { scheme: "rope" }, plain: { scheme: "nope" } },
      seed: 5,
    });
    const read = await wf.model(
      stored(model, {
        ...file,
        rope_theta: 10000,
        sliding_window: null,
        use_sliding_window: false,
        layer_types: Array(4).fill("full_attention"),
        no_rope_layers: [1, 1, 1, 0],
      }),
    );
    assert.deepEqual(read.config.layerTypes.at(-1), "full_attention_nope");
    const record = ["vocabularyLogits"];
    assert.deepEqual(
      read.run(ids, { record }).vocabularyLogits.data,
      model.run(ids, { record }).vocabularyLogits.data,
    );
  });

  test("layer_types of a config.json give bases and windows (Gemma 3, old and new)", async () => {
    const model = await wf.model({ ...sizes, numLayers: 4, scheme: "rope", seed: 5 });
    const common = {
      ...file,
      sliding_window: 3,
      layer_types: [
        "sliding_attention",
        "sliding_attention",
        "sliding_attention",
        "full_attention",
      ],
    };
    const expected = {
      sliding_attention: { theta: 10000, window: 3 },
      full_attention: { theta: 1000000, window: undefined },
    };
    for (const facts of [
      { rope_theta: 1000000, rope_local_base_freq: 10000 },
      {
        rope_parameters: {
          full_attention: { rope_type: "default", rope_theta: 1000000 },
          sliding_attention: { rope_type: "default", rope_theta: 10000 },
        },
      },
    ]) {
      const { config } = await wf.model(stored(model, { ...common, ...facts }));
      for (const [type, { theta, window }] of Object.entries(expected)) {
        assert.equal(config.layers[type].scheme[0].options.ropeTheta, theta);
        assert.equal(config.layers[type].slidingWindow, window);
      }
    }
  });

  test("temperature and chunks from Llama 4's config.json", async () => {
    const model = await wf.model({ ...sizes, numLayers: 4, scheme: "rope", seed: 5 });
    const { config } = await wf.model(
      stored(model, {
        ...file,
        rope_theta: 500000,
        attention_chunk_size: 8192,
        attn_temperature_tuning: true,
        attn_scale: 0.1,
        floor_scale: 4096,
        no_rope_layers: [1, 1, 1, 0],
        layer_types: [...Array(3).fill("chunked_attention"), "full_attention"],
      }),
    );
    assert.equal(config.layers.chunked_attention.chunkSize, 8192);
    assert.equal(config.layers.chunked_attention.scheme[0].options.ropeTheta, 500000);
    const { temperatureScale, temperatureFloor } =
      config.layers.full_attention_nope.scheme[0].options;
    assert.deepEqual([temperatureScale, temperatureFloor], [0.1, 4096]);
  });

  test("this package's config.json contains the layer types", async () => {
    const model = await wf.model({ ...mixed, seed: 3 });
    const read = await wf.model(
      stored(model, {
        ...file,
        layer_types: mixed.layerTypes,
        layers: {
          near: { schemes: [mixed.layers.near.scheme], attention_chunk_size: 4 },
          far: { schemes: [mixed.layers.far.scheme], sliding_window: 6 },
        },
      }),
    );
    assert.deepEqual(read.config, model.config);
    assert.deepEqual(read.run(ids).ids, ids);
  });

  test("contradictory settings are refused by name", async () => {
    const bad = (change) => rejected(wf.model({ ...mixed, ...change }), "invalid_argument");
    await bad({ scheme: "rope" });
    await bad({ slidingWindow: 4 });
    await bad({ layerTypes: ["near", "far"] });
    await bad({ layerTypes: ["near", "near", "near", "other"] });
    await bad({ layerTypes: Array(4).fill("near") });
    await bad({ layers: {} });
    await bad({ layers: { ...mixed.layers, far: { slidingWindow: 0 } } });
    await rejected(
      wf.model({ ...mixed, layers: { ...mixed.layers, far: { window: 3 } } }),
      "unknown_option",
    );
    const model = await wf.model(mixed);
    refused(() => model.run(ids, { record: ["pairs"] }), "unsupported");
    assert.ok(model.run(ids, { record: ["pairs"], region: { layers: [0, 1] } }).pairs);
    const { weights } = stored(model, {});
    await rejected(
      wf.model({ config: { ...file, layer_types: Array(4).fill("linear_attention") }, weights }),
      "unsupported",
    );
  });

  test("norms, softcaps, sinks and the initial deviation come from the config", async () => {
    const asked = {
      ...sizes,
      numLayers: 2,
      scheme: "rope",
      initializerRange: 0.3,
      softcap: 2,
      finalSoftcap: 5,
      sinks: true,
      queryKeyNorm: "weighted",
      seed: 4,
    };
    const model = await wf.model(asked);
    const { config } = model;
    for (const key of ["initializerRange", "softcap", "finalSoftcap", "sinks", "queryKeyNorm"])
      assert.ok(config[key] === asked[key] || Math.abs(config[key] - asked[key]) < 1e-7, key);
    const plain = await wf.model({ ...asked, sinks: false, queryKeyNorm: "plain" });
    assert.equal(model.parameterCount - plain.parameterCount, 2 * (4 + 4 + 4));
    const { vocabularyLogits, weights, maskedLogits, nobody } = model.run(ids, {
      record: ["vocabularyLogits", "weights", "maskedLogits", "nobody"],
    });
    assert.ok(vocabularyLogits.data.every((logit) => Math.abs(logit) <= 5));
    assert.ok(maskedLogits.data.every((logit) => logit === -Infinity || Math.abs(logit) <= 2));
    // A sink takes a share of every row.
    const row = weights.data.slice(0, ids.length).reduce((a, b) => a + b);
    assert.ok(row < 0.9, `${row}`);
    assert.deepEqual(nobody.shape, [2, 4, ids.length]);
    near([nobody.data[0]], [1 - row], 1e-6);
    const shares = nobody.data.slice(0, ids.length);
    const mean = shares.reduce((a, b) => a + b) / shares.length;
    near([model.heads(ids).measures.nobody.mean.data[0]], [mean], 1e-5);
    const again = await wf.model(
      stored(model, {
        ...file,
        num_hidden_layers: 2,
        query_key_norm: "weighted",
        rope_theta: 10000,
        attn_logit_softcapping: 2,
        final_logit_softcapping: 5,
        attention_sinks: true,
      }),
    );
    assert.equal(again.loss(ids).mean, model.loss(ids).mean);
    const bad = (change) => rejected(wf.model({ ...asked, ...change }), "invalid_argument");
    await bad({ softcap: -1 });
    await bad({ queryKeyNorm: "yes" });
    await bad({ initializerRange: 0 });
    await bad({ sinks: 1 });
  });

  test("accuracy is the share of targets that are the model's most likely token", () => {
    const trainer = wf.trainer({
      config: { ...sizes, numLayers: 1 },
      task: { id: "copy" },
      length: 9,
    });
    const [{ loss, accuracy }] = trainer.evaluate({ sequences: 4 });
    assert.ok(loss > 0);
    assert.ok(accuracy >= 0 && accuracy < 0.5);
    const same = { id: "language_model", ids: Array(200).fill(3) };
    const certain = wf.trainer({
      config: { ...sizes, numLayers: 1 },
      task: same,
      length: 9,
      learningRate: 1e-2,
    });
    certain.step(30);
    assert.equal(certain.evaluate({ sequences: 4 })[0].accuracy, 1);
  });
});
