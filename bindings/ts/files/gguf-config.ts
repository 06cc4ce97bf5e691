/** Translates a GGUF file's keys to its family's config.json. */

import { refuse } from "../wire/arguments.js";
import type { GgufParts } from "./gguf-parts.js";
import { GgufReader } from "./gguf-reader.js";
import { llamaRotary, ropeParameters, ropeScaling } from "./gguf-rotary.js";
import { ggufTables } from "./gguf-table.js";
import type { GgufForm } from "./gguf-tensors.js";

type Config = Record<string, unknown>;

/** Values of general.type in files that are not models. */
const otherTypes: Record<string, string> = {
  adapter: "an adapter (LoRA), which changes another model",
  imatrix: "an importance matrix, by which another model is quantised",
  mmproj: "an encoder of images or sounds for another model",
};

/**
 * The architecture. Errors: unsupported for a file that is not a model, and for others.
 */
function architectureOf({ keys }: GgufParts): string {
  const type = keys.text("general.type") ?? (keys.has("adapter.type") ? "adapter" : "model");
  if (type !== "model") {
    const words = Object.hasOwn(otherTypes, type) ? `; the file is ${otherTypes[type]}` : "";
    refuse("general.type", type, `"model"${words}`, "unsupported");
  }
  const arch = keys.text("general.architecture");
  if (arch === undefined || !Object.hasOwn(ggufTables, arch))
    return refuse(
      "general.architecture",
      arch,
      `one of ${Object.keys(ggufTables).join(", ")}`,
      "unsupported",
    );
  const version = keys.number("general.quantization_version");
  if (version !== undefined && version !== 2)
    refuse("general.quantization_version", version, "2", "unsupported");
  return arch;
}

/** Sizes, with Llama's keys. */
const llamaWords = (reader: GgufReader): Config => ({
  hidden_size: reader.number("embedding_length"),
  num_hidden_layers: reader.number("block_count"),
  intermediate_size: reader.number("feed_forward_length"),
  num_attention_heads: reader.number("attention.head_count"),
  num_key_value_heads: reader.number("attention.head_count_kv"),
  head_dim: reader.number("attention.key_length"),
  rms_norm_eps: reader.number("attention.layer_norm_rms_epsilon"),
  max_position_embeddings: reader.number("context_length"),
});

const hasBias = (parts: GgufParts) => parts.has("blk.0.attn_q.bias");

const llamaWithout = async (reader: GgufReader, parts: GgufParts): Promise<Config> => ({
  ...llamaWords(reader),
  ...(await llamaRotary(reader, parts)),
  attention_bias: hasBias(parts),
  mlp_bias: parts.has("blk.0.ffn_up.bias"),
});

const expertWords = (reader: GgufReader): Config => ({
  num_experts: reader.number("expert_count"),
  num_experts_per_tok: reader.number("expert_used_count"),
});

/** Llama, or Mixtral, whose files name the same architecture. */
async function llama(reader: GgufReader, parts: GgufParts): Promise<Config> {
  const rotary = await llamaRotary(reader, parts);
  if (reader.number("expert_count"))
    return { model_type: "mixtral", ...llamaWords(reader), ...rotary, ...expertWords(reader) };
  const used = reader.number("expert_used_count");
  if (used) refuse(reader.name("expert_used_count"), used, "0 without experts", "unsupported");
  return llamaWithout(reader, parts);
}

/** Granite's multipliers; 0 stands for none. */
async function granite(reader: GgufReader, parts: GgufParts): Promise<Config> {
  const scale = reader.number("attention.scale");
  return {
    ...(await llamaWithout(reader, parts)),
    embedding_multiplier: reader.number("embedding_scale") || 1,
    residual_multiplier: reader.number("residual_scale") || 1,
    attention_multiplier: scale || reader.number("attention.key_length") ** -0.5,
    logits_scaling: reader.number("logit_scale"),
  };
}

const graniteMoe = async (reader: GgufReader, parts: GgufParts): Promise<Config> => ({
  ...(await granite(reader, parts)),
  ...expertWords(reader),
});

function qwen(reader: GgufReader): Config {
  const scaling = ropeScaling(reader);
  return {
    ...llamaWords(reader),
    rope_theta: reader.number("rope.freq_base"),
    ...(scaling && { rope_scaling: scaling }),
  };
}

const qwen2Moe = (reader: GgufReader, parts: GgufParts): Config => ({
  ...qwen(reader),
  ...expertWords(reader),
  moe_intermediate_size: reader.number("expert_feed_forward_length"),
  shared_expert_intermediate_size: reader.number("expert_shared_feed_forward_length"),
  qkv_bias: hasBias(parts),
});

/** llama.cpp always makes the chosen experts' shares sum to one, for which the file has no key. */
const qwen3Moe = (reader: GgufReader): Config => ({
  ...qwen(reader),
  ...expertWords(reader),
  moe_intermediate_size: reader.number("expert_feed_forward_length"),
  norm_topk_prob: true,
});

const olmoe = (reader: GgufReader): Config => ({ ...qwen(reader), ...expertWords(reader) });

function gptOss(reader: GgufReader, parts: GgufParts): Config {
  const scaling = ropeScaling(reader);
  // OpenAI's code rounds no channel of YaRN's ramp; llama.cpp does, and the file has no key for it.
  const unrounded = scaling?.["rope_type"] === "yarn" && { truncate: false };
  const { layer_types, sliding_window } = windows(reader, scaling);
  return {
    ...llamaWords(reader),
    ...expertWords(reader),
    intermediate_size: reader.number("expert_feed_forward_length"),
    layer_types,
    sliding_window,
    rope_parameters: {
      ...ropeParameters(reader, reader.number("rope.freq_base"), scaling),
      ...unrounded,
    },
    attention_bias: hasBias(parts),
  };
}

/** Layers without key heads have a convolution. */
function lfm2(reader: GgufReader): Config {
  const { rms_norm_eps: norm_eps, ...config } = qwen(reader);
  const heads = reader.counts("attention.head_count_kv", reader.number("block_count"));
  return {
    ...config,
    norm_eps,
    block_auto_adjust_ff_dim: false,
    conv_L_cache: reader.number("shortconv.l_cache"),
    layer_types: heads.map((count) => (count ? "full_attention" : "conv")),
  };
}

const gemma = (reader: GgufReader): Config => ({
  ...llamaWords(reader),
  rope_parameters: ropeParameters(reader, reader.number("rope.freq_base"), ropeScaling(reader)),
});

/** Layers with and without a window: the last layer of each period has none. */
function windows(reader: GgufReader, sliding: Config | undefined): Config {
  const window = reader.number("attention.sliding_window");
  const period = reader.number("attention.sliding_window_pattern");
  const isFull = (i: number) => window === 0 || (period > 0 && i % period === period - 1);
  const [full, near] = ["rope.freq_base", "rope.freq_base_swa"].map((key) => reader.number(key));
  return {
    sliding_window: window || null,
    layer_types: Array.from({ length: Math.min(reader.number("block_count"), 256) }, (_, i) =>
      isFull(i) ? "full_attention" : "sliding_attention",
    ),
    rope_parameters: {
      full_attention: ropeParameters(reader, full!, ropeScaling(reader)),
      sliding_attention: ropeParameters(reader, near!, sliding),
    },
  };
}

/** `query_pre_attn_scalar`: in the largest model, the width divided by the number of heads. */
const scalar = (reader: GgufReader, largest: number) =>
  reader.number("block_count") === largest
    ? Math.floor(reader.number("embedding_length") / reader.number("attention.head_count"))
    : reader.number("attention.key_length");

function gemma2(reader: GgufReader): Config {
  const scaling = ropeScaling(reader);
  // llama.cpp scales layers with a window even here.
  if (reader.word("rope.scaling.type") === "none" && reader.number("rope.scaling.factor") > 1)
    refuse(
      reader.name("rope.scaling.factor"),
      reader.number("rope.scaling.factor"),
      '0 or 1 if rope.scaling.type is "none"',
      "unsupported",
    );
  return {
    ...llamaWords(reader),
    ...windows(reader, scaling),
    attn_logit_softcapping: reader.number("attn_logit_softcapping"),
    final_logit_softcapping: reader.number("final_logit_softcapping"),
    query_pre_attn_scalar: scalar(reader, 46),
  };
}

function gemma3(reader: GgufReader): Config {
  const cap = reader.number("final_logit_softcapping");
  return {
    ...llamaWords(reader),
    // Layers with a window are never scaled.
    ...windows(reader, undefined),
    ...(cap && { final_logit_softcapping: cap }),
    query_pre_attn_scalar: scalar(reader, 62),
  };
}

/** GPT-2 has its own keys. */
const gpt2 = (reader: GgufReader): Config => ({
  n_embd: reader.number("embedding_length"),
  n_layer: reader.number("block_count"),
  n_head: reader.number("attention.head_count"),
  n_inner: reader.number("feed_forward_length"),
  n_positions: reader.number("context_length"),
  layer_norm_epsilon: reader.number("attention.layer_norm_epsilon"),
});

/** BERT, and sentence encoders with its architecture. */
const bert = (reader: GgufReader, { keys }: GgufParts): Config => {
  const types = "tokenizer.ggml.token_type_count";
  return {
    hidden_size: reader.number("embedding_length"),
    num_hidden_layers: reader.number("block_count"),
    num_attention_heads: reader.number("attention.head_count"),
    intermediate_size: reader.number("feed_forward_length"),
    max_position_embeddings: reader.number("context_length"),
    layer_norm_eps: reader.number("attention.layer_norm_epsilon"),
    type_vocab_size:
      keys.number(types) || refuse(types, keys.value(types), "an integer from 1", "malformed_file"),
  };
};

interface Arch {
  /** `model_type` in config.json, unless the config has one. */
  family: string;
  config(reader: GgufReader, parts: GgufParts): Config | Promise<Config>;
  isPaired?: boolean;
  passes?: string;
  names?: GgufForm["names"];
}

// attn_rot_embd: a table of rotations in the oldest files.
const rotations = "rope_freqs.weight *.attn_rot_embd";

const archs: Record<string, Arch> = {
  llama: { family: "llama", config: llama, isPaired: true, passes: rotations },
  qwen2: { family: "qwen2", config: qwen },
  qwen3: { family: "qwen3", config: qwen },
  gemma: { family: "gemma", config: gemma },
  gemma2: { family: "gemma2", config: gemma2 },
  gemma3: { family: "gemma3_text", config: gemma3 },
  gpt2: { family: "gpt2", config: gpt2 },
  // Task heads.
  bert: { family: "bert", config: bert, passes: "cls.*" },
  qwen2moe: { family: "qwen2_moe", config: qwen2Moe },
  qwen3moe: { family: "qwen3_moe", config: qwen3Moe },
  olmoe: { family: "olmoe", config: olmoe },
  granite: { family: "granite", config: granite, isPaired: true, passes: rotations },
  granitemoe: { family: "granitemoe", config: graniteMoe, isPaired: true, passes: rotations },
  "gpt-oss": {
    family: "gpt_oss",
    config: gptOss,
    names: { "layers.#.post_attention_layernorm": "blk.#.post_attention_norm" },
  },
  lfm2: { family: "lfm2", config: lfm2, names: { norm: "token_embd_norm" } },
};

/**
 * A GGUF file's keys as its family's config.json, and how its tensors differ. Errors:
 * malformed_file for a missing key and for a value of another kind or out of range; unsupported for
 * an unknown key and for an unsupported value.
 */
export async function ggufConfig(
  parts: GgufParts,
): Promise<{ configFile: Config; form: GgufForm }> {
  const { keys } = parts;
  const arch = architectureOf(parts);
  parts.checkTypes();
  const reader = new GgufReader(keys, arch, ggufTables[arch]!);
  const { family, config, isPaired = false, passes = "", names = {} } = archs[arch]!;
  const made = {
    model_type: family,
    vocab_size: keys.count("tokenizer.ggml.tokens") || reader.number("vocab_size"),
    tie_word_embeddings: !parts.has("output.weight"),
    ...(await config(reader, parts)),
  };
  const isCausal = reader.flag("attention.causal");
  reader.refuseRest();
  return { configFile: made, form: { isPaired, passes, isCausal, names } };
}
