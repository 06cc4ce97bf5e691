// llama.cpp's reading of GGUF keys, compared with an equivalent config.json over the same weights.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { archNames, bothForms } from "./gguf-bytes.mjs";
import {
  f32,
  flag,
  fromConfig,
  fromFile,
  numbersOf,
  opened,
  text,
  u32,
  withKeys,
  yarnKeys,
} from "./gguf-forms.mjs";
import { near, rejected, wf } from "./golden.mjs";

describe("a model from GGUF keys equals that from config.json", () => {
  for (const arch of archNames)
    test(arch, async () => {
      const form = bothForms(arch);
      assert.deepEqual(await fromFile(arch, form), await fromConfig(arch, form));
    });
});

test("Mixtral's files say llama, and have experts", async () => {
  const form = bothForms("llama", { model_type: "mixtral", sliding_window: null });
  assert.equal((await opened(form)).configFile.model_type, "mixtral");
  assert.deepEqual(await fromFile("llama", form), await fromConfig("llama", form));
});

test("the layers of LFM2 are those that their numbers of key heads say", async () => {
  const form = bothForms("lfm2");
  const heads = (value, type = "u32") =>
    withKeys(form, "lfm2", { "attention.head_count_kv": { type, value } });
  const model = await opened(heads([0, 1, 0], "i64"));
  assert.deepEqual(model.config.layerTypes, ["conv", "full_attention", "conv"]);
  await rejected(opened(heads([0, 1])), "malformed_file", /head_count_kv: \[0, 1\] .*3 numbers/);
  await rejected(opened(heads([1, 3, 0])), "unsupported", /head_count_kv: \[1, 3, 0\]/);
  await rejected(opened(heads([0, -1, 1], "i32")), "malformed_file", /head_count_kv: \[0, -1, 1\]/);
  await rejected(opened(heads([0, 0, 0])), "malformed_file", /head_count_kv/);
  // One number is that of all layers, whose tensors of attention are missing in two.
  await rejected(opened(heads(1)), "malformed_file", /attn_q\.weight is missing/);
});

test("experts whose width the file leaves out have a share of the feed-forward's", async () => {
  const form = bothForms("qwen3moe", { moe_intermediate_size: 11 });
  const less = withKeys(form, "qwen3moe", { expert_feed_forward_length: undefined });
  // 22 / 2 is not 7.
  await rejected(opened(less), "malformed_file", /ffn_gate_exps\.weight: 3 dimensions/);
});

const linear = (factor, base = 10000) => ({
  rope_parameters: { rope_type: "linear", factor, rope_theta: base },
});
const yarn = (more) => ({
  rope_parameters: { rope_type: "yarn", rope_theta: 10000, factor: 4, ...more },
});
const none = { rope_parameters: { rope_type: "default", rope_theta: 10000 } };
const usual = 0.1 * Math.log(4) + 1;
const local = (full, near = { rope_theta: 10000, rope_type: "default" }) => ({
  rope_parameters: { full_attention: full, sliding_attention: near },
});

/**
 * Architectures, keys, the equivalent of config.json by llama.cpp's rule, and keys without which
 * the numbers are others.
 */
const readings = {
  "a factor alone is linear": [
    ["llama", "qwen2", "qwen3", "gemma"],
    { "rope.freq_base": undefined, "rope.scaling.factor": f32(4) },
    linear(4),
  ],
  "the older name of a linear factor": [
    ["llama", "qwen2", "qwen3", "gemma"],
    { "rope.freq_base": undefined, "rope.scale_linear": f32(4) },
    linear(4),
  ],
  "the newer name counts before the older one, at 0 too": [
    ["llama", "qwen2"],
    {
      "rope.freq_base": undefined,
      "rope.scale_linear": f32(4),
      "rope.scaling.factor": f32(0),
    },
    none,
  ],
  "a base that is left out": [
    ["llama", "qwen2", "qwen3", "gemma"],
    { "rope.freq_base": undefined },
    none,
  ],
  "a factor where nothing scales": [
    ["llama", "qwen3"],
    {
      "rope.freq_base": undefined,
      "rope.scaling.type": text("none"),
      "rope.scaling.factor": f32(4),
    },
    none,
  ],
  "linear without a factor": [
    ["llama", "gemma"],
    { "rope.freq_base": undefined, "rope.scaling.type": text("linear") },
    none,
  ],
  "a context that the file does not say": [
    ["llama", "qwen2", "qwen3", "gemma"],
    yarnKeys({ "rope.freq_base": undefined, "rope.scaling.original_context_length": undefined }),
    yarn({ original_max_position_embeddings: 37 }),
  ],
  YaRN: [
    ["llama", "qwen2", "qwen3", "gemma"],
    yarnKeys({ "rope.freq_base": undefined }),
    yarn({ original_max_position_embeddings: 16 }),
  ],
  "where YaRN's ramp begins": [
    ["llama", "qwen2"],
    yarnKeys({
      "rope.freq_base": undefined,
      "rope.scaling.original_context_length": u32(2000),
      "rope.scaling.yarn_beta_fast": f32(1.5),
    }),
    yarn({ original_max_position_embeddings: 2000, beta_fast: 1.5 }),
    ["rope.scaling.yarn_beta_fast", "rope.scaling.original_context_length"],
  ],
  "where YaRN's ramp ends": [
    ["llama", "qwen3", "gemma"],
    yarnKeys({
      "rope.freq_base": undefined,
      "rope.scaling.original_context_length": u32(2000),
      "rope.scaling.yarn_beta_slow": f32(30),
    }),
    yarn({ original_max_position_embeddings: 2000, beta_slow: 30 }),
    ["rope.scaling.yarn_beta_slow"],
  ],
  "a factor of YaRN's temperature": [
    ["llama", "gemma"],
    yarnKeys({ "rope.freq_base": undefined, "rope.scaling.attn_factor": f32(1.5) }),
    yarn({ original_max_position_embeddings: 16, attention_factor: 1.5 * usual }),
  ],
  "a divisor of YaRN's temperature": [
    ["llama", "qwen3"],
    yarnKeys({ "rope.freq_base": undefined, "rope.scaling.yarn_log_multiplier": f32(0.5) }),
    yarn({
      original_max_position_embeddings: 16,
      attention_factor: usual / (0.05 * Math.log(4) + 1),
    }),
  ],
  "YaRN's usual values, said": [
    ["llama"],
    yarnKeys({
      "rope.freq_base": undefined,
      "rope.scaling.yarn_ext_factor": f32(1),
      "rope.scaling.yarn_attn_factor": f32(usual),
      "rope.scaling.yarn_beta_fast": f32(32),
      "rope.scaling.yarn_beta_slow": f32(1),
      "rope.scaling.yarn_log_multiplier": f32(0),
    }),
    yarn({ original_max_position_embeddings: 16 }),
  ],
  "a share of channels that turn": [
    ["gemma"],
    { "rope.dimension_count": u32(4) },
    { rope_parameters: { rope_theta: 10000, rope_type: "default", partial_rotary_factor: 4 / 6 } },
  ],
  "key heads that are left out": [
    ["qwen2"],
    { "attention.head_count_kv": undefined },
    "one key head, refused by the shape of its tensor",
  ],
  "a head's channels that are left out": [
    ["qwen2"],
    { "attention.key_length": undefined, "attention.value_length": undefined },
    {},
  ],
  "gemma2 without its caps": [
    ["gemma2"],
    { attn_logit_softcapping: undefined, final_logit_softcapping: undefined },
    { attn_logit_softcapping: 50, final_logit_softcapping: 30 },
  ],
  "gemma2 without its window": [
    ["gemma2"],
    { "attention.sliding_window": undefined },
    { sliding_window: 4096 },
  ],
  "gemma2's period": [
    ["gemma2"],
    { "attention.sliding_window_pattern": u32(1) },
    { layer_types: ["full_attention", "full_attention"] },
  ],
  "gemma2's window in all layers": [
    ["gemma2"],
    { "attention.sliding_window_pattern": u32(0) },
    { layer_types: ["sliding_attention", "sliding_attention"] },
  ],
  "gemma2 with a factor, in all layers": [["gemma2"], { "rope.scaling.factor": f32(4) }, linear(4)],
  "gemma2's base under a window": [
    ["gemma2"],
    { "rope.freq_base_swa": f32(300) },
    local({ rope_theta: 10000, rope_type: "default" }, { rope_theta: 300, rope_type: "default" }),
  ],
  "gemma3 with a factor, in layers without a window": [
    ["gemma3"],
    { "rope.scaling.factor": f32(8) },
    local({ rope_theta: 1e6, rope_type: "linear", factor: 8 }),
  ],
  "gemma3 with YaRN, in layers without a window": [
    ["gemma3"],
    yarnKeys(),
    local({
      rope_theta: 1e6,
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 16,
    }),
  ],
  "gemma3 without bases": [
    ["gemma3"],
    { "rope.freq_base": undefined },
    local({ rope_theta: 10000, rope_type: "default" }),
  ],
  "gemma3's base under a window": [
    ["gemma3"],
    { "rope.freq_base_swa": f32(300) },
    local({ rope_theta: 1e6, rope_type: "default" }, { rope_theta: 300, rope_type: "default" }),
  ],
  "gemma3 without a period: every sixth layer": [
    ["gemma3"],
    { "attention.sliding_window_pattern": undefined },
    { layer_types: ["sliding_attention", "sliding_attention"] },
  ],
  "gemma3 without a window": [
    ["gemma3"],
    { "attention.sliding_window": undefined },
    { layer_types: ["full_attention", "full_attention"] },
  ],
  "gemma3 with a window of 0": [
    ["gemma3"],
    { "attention.sliding_window": u32(0) },
    { layer_types: ["full_attention", "full_attention"] },
  ],
  "gemma3's cap of the scores": [
    ["gemma3"],
    { final_logit_softcapping: f32(7) },
    { final_logit_softcapping: 7 },
  ],
};

describe("GGUF keys have the meaning that llama.cpp gives them", () => {
  for (const [what, [archs, keys, config, telling = []]] of Object.entries(readings))
    for (const arch of archs)
      test(`${arch}: ${what}`, async () => {
        const form = bothForms(arch);
        const changed = withKeys(form, arch, keys);
        if (typeof config === "string")
          return rejected(opened(changed), "malformed_file", /attn_k\.weight/);
        const right = await fromConfig(arch, { ...form, config: { ...form.config, ...config } });
        near(await fromFile(arch, changed), right, 2e-6);
        // The case must test something: without its keys the numbers differ.
        if (config.rope_parameters && config !== none)
          assert.notDeepEqual(await fromFile(arch, form), right);
        for (const key of telling) {
          const less = withKeys(changed, arch, { [key]: undefined });
          assert.notDeepEqual(await fromFile(arch, less), right, key);
        }
      });

  test("Llama 3's divisors are read from tables of half a head's channels", async () => {
    const form = bothForms("llama");
    const divisors = (data) => ({
      ...form,
      tensors: { ...form.tensors, "rope_freqs.weight": { shape: [data.length], data } },
    });
    assert.deepEqual(await fromFile("llama", divisors([1, 1, 1])), await fromFile("llama", form));
    await rejected(
      opened(divisors([1, 1])),
      "malformed_file",
      /rope_freqs\.weight: 2 numbers \(expected 3\)$/,
    );
    await rejected(opened(divisors([1, 2, 3])), "unsupported", /rope_freqs\.weight/);
    const scaled = withKeys(divisors([1, 8, 8]), "llama", { "rope.scaling.factor": f32(4) });
    await rejected(opened(scaled), "unsupported", /llama\.rope\.scaling\.factor: 4/);
    const other = bothForms("qwen2");
    const tensors = { ...other.tensors, "rope_freqs.weight": { shape: [3], data: [1, 1, 1] } };
    await rejected(opened({ ...other, tensors }), "malformed_file", /rope_freqs\.weight/);
  });

  test("the largest Gemmas scale by the model's width", async () => {
    for (const [arch, layers] of [
      ["gemma2", 46],
      ["gemma3", 62],
    ]) {
      const form = bothForms(arch);
      const { tensors } = form;
      for (const [name, tensor] of Object.entries(tensors)) {
        const layer = /^blk\.0\.(.*)/.exec(name);
        for (let i = 2; layer && i < layers; i++) tensors[`blk.${i}.${layer[1]}`] = tensor;
      }
      const model = await opened(withKeys(form, arch, { block_count: u32(layers) }));
      // 15 channels and 3 heads of 6 channels.
      assert.equal(model.configFile.query_pre_attn_scalar, 5);
      model.dispose();
    }
  });

  test("the file decides whether a token may attend to later ones", async () => {
    for (const arch of ["llama", "qwen2", "qwen3", "gemma", "gpt2", "bert"]) {
      const form = bothForms(arch);
      const usual = arch !== "bert";
      const model = await opened(form);
      assert.equal(model.config.isCausal, usual);
      const weights = model.save();
      const own = await wf.model({ config: { ...model.config, isCausal: !usual }, weights });
      const right = numbersOf(own, arch, form.ids);
      const other = withKeys(form, arch, { "attention.causal": flag(!usual) });
      near(await fromFile(arch, other), right, 1e-6);
      assert.notDeepEqual(numbersOf(model, arch, form.ids), right);
    }
  });
});

/**
 * The architecture's keys in well-known files, in addition to those of every file, as printed in
 * the logs of llama.cpp and Ollama.
 */
const wellKnown = [
  ["llama", "SmolLM2, Llama 3.2", { vocab_size: u32(29), "rope.dimension_count": u32(6) }],
  ["llama", "Llama 2, 2023", { tensor_data_layout: text("Meta AI original pth") }],
  ["llama", "a dense model of an architecture with experts", { expert_count: u32(0) }],
  ["qwen2", "Qwen1.5", { use_parallel_residual: flag(true) }],
  ["qwen3", "Qwen3-Embedding", { pooling_type: u32(3) }],
  ["gemma", "Gemma 7B", { "rope.dimension_count": u32(6) }],
  [
    "gemma3",
    "Gemma 3 12B with pictures",
    {
      "mm.tokens_per_image": u32(256),
      "vision.attention.head_count": u32(16),
      "vision.attention.layer_norm_epsilon": f32(1e-6),
      "vision.block_count": u32(27),
      "vision.image_size": u32(896),
    },
  ],
  ["bert", "BGE", { pooling_type: u32(2), "attention.causal": flag(false), vocab_size: u32(29) }],
  ["bert", "a classifier", { "classifier.output_labels": { type: "text", value: ["a", "b"] } }],
];

describe("keys of well-known files", () => {
  for (const [arch, what, keys] of wellKnown)
    test(`${arch}: ${what}`, async () => {
      const form = bothForms(arch);
      const changed = withKeys(form, arch, keys);
      assert.deepEqual(await fromFile(arch, changed), await fromFile(arch, form));
    });
});
