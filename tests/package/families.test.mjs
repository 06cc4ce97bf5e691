// Compares models of common families with Transformers (tests/golden/families).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { deviations, familyFile, manifest, modelOf, names, textOfDecoder } from "./families.mjs";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";
import "./with-training.mjs";

const rows = manifest();
/** Allowed factor between deviations on different processors and builds. */
const factor = 10;
const noise = 3e-2;

for (const variant of variants) {
  describe(variant, () => {
    for (const name of names) {
      test(`${name}: equals Transformers within the recorded deviations`, async () => {
        const found = await deviations(engines[variant], name);
        const { tolerance, deviation } = rows[name];
        assert.deepEqual(Object.keys(found).sort(), Object.keys(tolerance).sort());
        for (const [quantity, value] of Object.entries(found)) {
          assert.ok(value <= tolerance[quantity], `${quantity}: ${value}`);
          const recorded = Math.max(deviation[quantity], noise * tolerance[quantity]);
          assert.ok(value <= factor * recorded, `${quantity}: ${value}, recorded ${recorded}`);
        }
      });
    }
  });
}

const likeliest = (scores) => scores.indexOf(Math.max(...scores));

for (const name of names.filter((one) => rows[one].tolerance.loss && !rows[one].tolerance.cross)) {
  test(`${name}: generating token by token equals computing whole texts`, async () => {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const ids = file.ids.slice(0, 4);
    for await (const { id } of model.generate(ids, { maxTokens: 6, temperature: 0 })) {
      const { data } = model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
      assert.equal(id, likeliest(data.subarray(data.length - model.config.vocabSize)));
      ids.push(id);
    }
  });
}

for (const name of names.filter((one) => rows[one].tolerance.cross)) {
  test(`${name}: the decoder generates token by token what whole texts give`, async () => {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const decoderTokens = [file.config.decoder_start_token_id];
    for await (const { id } of model.generate(file.ids, { maxTokens: 6, temperature: 0 })) {
      const record = ["vocabularyLogits"];
      const { data } = model.run(file.ids, { record, decoderTokens }).vocabularyLogits;
      assert.equal(id, likeliest(data.subarray(data.length - model.config.vocabSize)));
      decoderTokens.push(id);
    }
    assert.equal(decoderTokens.length, 7);
  });
}

test("terms of a family's logits add up to them", async () => {
  for (const name of [
    "gpt2",
    "gpt_neox",
    "bloom",
    "gemma2",
    "bert",
    "xlnet",
    "transfo_xl",
    "deepseek_v3",
  ]) {
    const model = await modelOf(wf, familyFile(name));
    const { terms, logits } = model.run([5, 6, 7], { record: ["terms", "logits"] });
    const sum = logits.data.map((_, i) =>
      Object.values(terms).reduce((total, { data }) => total + data[i], 0),
    );
    // Hidden keys have no logit.
    logits.data.forEach((logit, i) => {
      if (Number.isFinite(logit) && name !== "gemma2") near([sum[i]], [logit], 1e-4, name);
    });
  }
});

test("positions of a family's model can be bent; Pythia without rotation has none", async () => {
  const model = await modelOf(wf, familyFile("gpt_neox"));
  const ids = [3, 4, 5, 6, 7];
  const turned = model.loss(ids).mean;
  const unturned = model.loss(ids, { surgery: { zero: ["rotation"] } }).mean;
  const without = model.loss(ids, { surgery: { scheme: [] } }).mean;
  near([unturned], [without], 1e-5);
  assert.ok(Math.abs(turned - without) > 1e-3);
});

test("a model with other architecture fields trains, and one without a head is refused", () => {
  const config = {
    vocabSize: 16,
    hiddenSize: 12,
    numLayers: 1,
    numHeads: 2,
    intermediateSize: 20,
    scheme: "learned",
    architecture: {
      norm: "layer",
      normBias: true,
      activation: "gelu",
      gated: false,
      queryBias: true,
      residual: "parallel",
      head: "own",
      headBias: true,
    },
  };
  const task = { id: "language_model", ids: Array.from({ length: 200 }, (_, i) => (i * 3) % 16) };
  const trainer = wf.trainer({ config, task, length: 9, learningRate: 1e-2 });
  const [{ loss: before }] = trainer.evaluate({ sequences: 4 });
  trainer.step(40);
  const [{ loss: after }] = trainer.evaluate({ sequences: 4 });
  assert.ok(after < before / 2, `${before} to ${after}`);
  const headless = { ...config, architecture: { head: "none" } };
  refused(() => wf.trainer({ config: headless, task, length: 9 }), "unsupported", /output head/);
});

test("a family's model can be made again from its config and saved weights", async () => {
  for (const name of [
    "gpt2",
    "opt_post_norm",
    "opt_projections",
    "opt_projections_untied",
    "falcon_grouped",
    "gemma3_text",
    "bert",
    "stablelm_norms",
    "deepseek_v3",
    "xlnet_causal",
    "transfo_xl",
    "transfo_xl_options",
    "transfo_xl_div_val",
    "transfo_xl_embedding_untied",
  ]) {
    const first = await modelOf(wf, familyFile(name));
    const second = await wf.model({ config: first.config, weights: first.save() });
    const run = (model) => model.run([3, 4, 5], { record: ["hidden"] }).hidden.data;
    assert.deepEqual(run(second), run(first), name);
    assert.deepEqual(second.config, first.config);
  }
});

test("a text's vector is the mean of its tokens' hidden states", async () => {
  for (const name of ["bert", "t5_encoder", "llama", "modernbert", "deberta_v2", "xlnet"]) {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const { data, shape } =
      file.output === "hidden" ? file.result : model.run(file.ids, { record: ["hidden"] }).hidden;
    const [rows, width] = shape;
    const mean = Array.from({ length: width }, (_, column) =>
      data.reduce((sum, value, i) => sum + (i % width === column ? value / rows : 0), 0),
    );
    near(model.embed(file.ids), mean, 1e-5, name);
  }
});

test("an encoder without a head refuses scores, loss and text", async () => {
  const model = await modelOf(wf, familyFile("bert"));
  refused(() => model.run([1], { record: ["vocabularyLogits"] }), "unsupported", /output head/);
  refused(() => model.loss([1, 2]), "unsupported", /output head/);
  refused(() => model.generate([1]), "unsupported", /causal/);
});

const changes = JSON.parse(
  readFileSync(new URL("../golden/families/changes.json", import.meta.url), "utf8"),
).families;

test("every family has a file of changed configs", () => {
  const types = new Set(names.map((name) => familyFile(name).config.model_type));
  assert.deepEqual(Object.keys(changes).sort(), [...types].sort());
});

/** Sizes of tensors that no model here reads. */
const ofUnread = {
  siglip_text_model: ["projection_size"],
  siglip2_text_model: ["projection_size"],
};

for (const [type, { file: name, changes: list }] of Object.entries(changes)) {
  test(`${type}: a changed key of a config gives Transformers' numbers or is refused`, async () => {
    const file = familyFile(name);
    const wrong = [];
    for (const [key, value, expected] of list) {
      if (ofUnread[type]?.includes(key)) continue;
      const config = { ...file.config, [key]: value };
      const fault = await faultOf({ ...file, config }, textOfDecoder(file), expected);
      if (fault) wrong.push(`${key}: ${JSON.stringify(value)}: ${fault}`);
    }
    assert.deepEqual(wrong, []);
  });
}

/** Returns what is wrong with a model that opens, or undefined if it is refused or right. */
async function faultOf(file, { decoderTokens }, expected) {
  let model;
  try {
    model = await modelOf(wf, file);
  } catch (error) {
    if (error.name !== "WhereformerError") return error.stack;
    return /undefined|NaN/.test(error.message) ? error.message : undefined;
  }
  // Transformers needs other tensors or refuses the config, but here it opened.
  if (typeof expected === "string" && expected !== "same") return `read, ${expected} elsewhere`;
  const record = file.output === "hidden" ? "hidden" : "vocabularyLogits";
  const { data, shape } = model.run(file.ids, { record: [record], ...decoderTokens })[record];
  model.dispose();
  const last = expected === "same" ? file.result.data.slice(-shape[1]) : expected;
  const distance = Math.max(
    ...last.map((x, i) => Math.abs(x - data[data.length - last.length + i])),
  );
  return distance < 1e-4 ? undefined : `off by ${distance}`;
}

const llama = familyFile("llama");

test("a key that is neither read nor known to be harmless is refused by name", async () => {
  for (const [key, value] of [
    ["attention_temperature", 2],
    ["sliding_window", 4],
    ["window_size", 4],
  ]) {
    const message = new RegExp(
      `^config\\.${key}: .* \\(expected no such key with model_type "llama"\\)$`,
    );
    await rejected(
      modelOf(wf, { ...llama, config: { ...llama.config, [key]: value } }),
      "unsupported",
      message,
    );
  }
  // The key is harmless only at its neutral value.
  const scaled = { ...llama.config, embedding_multiplier: 12 };
  const message = /^config\.embedding_multiplier: 12 \(expected 1\b/;
  await rejected(modelOf(wf, { ...llama, config: scaled }), "unsupported", message);
  const config = { ...llama.config, attention_temperature: null, embedding_multiplier: 1 };
  (await modelOf(wf, { ...llama, config })).dispose();
});

test("a stored output head is read even if config.json does not mention it", async () => {
  const { tie_word_embeddings: _, ...config } = llama.config;
  const model = await modelOf(wf, { ...llama, config });
  assert.equal(model.config.architecture.head, "own");
  const { data } = model.run(llama.ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  near(data, llama.result.data, 1e-4);
  const tied = { ...llama, config: { ...config, tie_word_embeddings: true } };
  await rejected(modelOf(wf, tied), "unsupported", /^tensor lm_head\.weight differs/);
});

test("a base model's file has no prefix, and its buffers are ignored", async () => {
  const file = familyFile("gpt2");
  const bare = Object.fromEntries(
    Object.entries(file.weights).map(([name, tensor]) => [
      name.replace(/^transformer\./, ""),
      tensor,
    ]),
  );
  bare["h.0.attn.bias"] = { shape: [1, 1, 3, 3], data: Array(9).fill(1) };
  const model = await wf.model({ config: file.config, weights: safetensors(bare) });
  const { data } = model.run(file.ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  near(data, file.result.data, 1e-4);
});

const olderWords = { weight: "gamma", bias: "beta" };

test("older encoders name weights gamma and beta, and their heads are ignored", async () => {
  const file = familyFile("bert");
  const weights = Object.fromEntries(
    Object.entries(file.weights).map(([name, tensor]) => {
      const older = name.replace(/(?<=LayerNorm\.)(weight|bias)/, (word) => olderWords[word]);
      return [`bert.${older}`, tensor];
    }),
  );
  weights["cls.predictions.bias"] = { shape: [2], data: [1, 1] };
  const model = await wf.model({ config: file.config, weights: safetensors(weights) });
  near(model.run(file.ids, { record: ["hidden"] }).hidden.data, file.result.data, 1e-4);
});

test("a missing, unknown or misshapen tensor is reported by its name in the file", async () => {
  const file = familyFile("gpt2");
  const load = (change) => {
    const weights = { ...file.weights };
    change(weights);
    return wf.model({ config: file.config, weights: safetensors(weights) });
  };
  const name = "transformer.h.1.attn.c_attn.weight";
  await rejected(
    load((weights) => delete weights[name]),
    "malformed_file",
    /^tensor h\.1\.attn\.c_attn\.weight is missing\b/,
  );
  await rejected(
    load((weights) => {
      weights["transformer.h.0.extra"] = { shape: [1], data: [1] };
    }),
    "malformed_file",
    /^tensor transformer\.h\.0\.extra is unknown to this model\b/,
  );
  await rejected(
    load((weights) => {
      weights[name] = { ...weights[name], shape: [...weights[name].shape].reverse() };
    }),
    "malformed_file",
    /^tensor transformer\.h\.1\.attn\.c_attn\.weight: 2 dimensions \[45, 15/,
  );
});

test("missing or invalid sizes are reported by their keys in config.json", async () => {
  const { n_embd: _, ...rest } = familyFile("gptj").config;
  const weights = safetensors({});
  // The class's default is 4096, which three heads do not divide.
  const absent = wf.model({ config: rest, weights });
  await rejected(absent, "invalid_argument", /; the config omits .*n_embd \(default 4096\)$/);
  const none = wf.model({ config: { ...rest, n_embd: null }, weights });
  await rejected(none, "invalid_argument", /^config\.n_embd: null \(expected a finite number\)$/);
  const nameless = { vocab_size: 8, n_embd: 4, rope_theta: 1e4 };
  const unread = wf.model({ config: nameless, weights });
  await rejected(
    unread,
    "invalid_argument",
    /^config\.hidden_size: missing \(expected a number\)$/,
  );
  const config = { ...rest, n_embd: "wide" };
  await rejected(
    wf.model({ config, weights }),
    "invalid_argument",
    /^config\.n_embd: "wide" \(expected a finite number/,
  );
  await rejected(
    wf.model({ config: { ...rest, model_type: "compass" }, weights }),
    "unsupported",
    /^config\.model_type: "compass" \(expected one of .*gpt2/,
  );
});
