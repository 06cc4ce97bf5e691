/** A GGUF file's keys as the config.json that its family has, and its tensors' names. */

import type { FamilyReading, TensorRule } from "../families/family.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import type { GgufFile } from "./gguf-file.js";

type Config = Record<string, unknown>;
type Key = (name: string) => number | undefined;

/** GGUF's names of what this package's tensors are; both without ".weight" and ".bias". */
const names: Record<string, string> = {
  embed_tokens: "token_embd",
  norm: "output_norm",
  lm_head: "output",
  "position.learned.embeddings": "position_embd.weight",
  token_types: "token_types",
  embedding_norm: "token_embd_norm",
  "layers.#.input_layernorm": "blk.#.attn_norm",
  "layers.#.attention_norm": "blk.#.post_attention_norm",
  "layers.#.post_attention_layernorm": "blk.#.ffn_norm",
  "layers.#.feed_norm": "blk.#.post_ffw_norm",
  "layers.#.self_attn.q_proj": "blk.#.attn_q",
  "layers.#.self_attn.k_proj": "blk.#.attn_k",
  "layers.#.self_attn.v_proj": "blk.#.attn_v",
  "layers.#.self_attn.q_proj k_proj v_proj": "blk.#.attn_qkv",
  "layers.#.self_attn.o_proj": "blk.#.attn_output",
  "layers.#.self_attn.q_norm": "blk.#.attn_q_norm",
  "layers.#.self_attn.k_norm": "blk.#.attn_k_norm",
  "layers.#.mlp.gate_proj": "blk.#.ffn_gate",
  "layers.#.mlp.up_proj": "blk.#.ffn_up",
  "layers.#.mlp.down_proj": "blk.#.ffn_down",
};

/** Norms of what comes out of a half of a block, where they stand behind the residual sum. */
const namesAfter: Record<string, string> = {
  "layers.#.attention_norm": "blk.#.attn_output_norm",
  "layers.#.feed_norm": "blk.#.layer_output_norm",
};

/**
 * The rules of a family for its GGUF files, which hold no transposes and norms with their one
 * already added. Where queries and keys are rotated in pairs that lie side by side (`isPaired`),
 * converters have moved their rows so.
 */
export function ggufRules(
  { tensors, architecture }: FamilyReading,
  isPaired: boolean,
): TensorRule[] {
  const own = architecture.normPlace === "after" ? { ...names, ...namesAfter } : names;
  return tensors.map(([ours, , flags = ""]) => {
    const turned = isPaired && /(?:q|k)_proj$/.test(ours);
    const kept = flags.includes("exact") ? "exact" : "";
    return [ours, own[ours]!, turned ? "P" : kept] as const;
  });
}

/** What is passed over in such files: it says again what keys say. */
export const ggufPasses = "rope_freqs.weight *.attn_rot_embd";

/** What Llama 3's scaling divides the frequencies of half a head's channels by. */
function llama3Divisors(base: number, count: number, factor: number, original: number) {
  return Array.from({ length: count }, (_, i) => {
    const turns = original / (2 * Math.PI * base ** (i / count));
    if (turns > 4) return 1;
    if (turns < 1) return factor;
    const share = (turns - 1) / 3;
    return 1 / ((1 - share) / factor + share);
  });
}

/** Scaling that a file says as divisors of the frequencies, in config.json's words. */
function scalingOf(divisors: Float32Array, base: number, context: number): Config {
  // They are computed in single precision.
  const factor = Number(Math.max(...divisors).toPrecision(6));
  for (const original of [8192, context]) {
    const expected = llama3Divisors(base, divisors.length, factor, original);
    if (!expected.every((value, i) => Math.abs(divisors[i]! / value - 1) < 1e-4)) continue;
    return {
      rope_type: "llama3",
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: original,
    };
  }
  return refuse(
    "rope_freqs.weight",
    divisors,
    "what Llama 3's scaling gives for low_freq_factor 1 and high_freq_factor 4",
    "unsupported",
  );
}

async function rotary(file: GgufFile, key: Key, arch: string) {
  const { keys } = file;
  const base = key("rope.freq_base") ?? 1e4;
  const divisors = await file.floats("rope_freqs.weight");
  const type = keys.text(`${arch}.rope.scaling.type`) ?? "none";
  const factor = key("rope.scaling.factor");
  const original = key("rope.scaling.original_context_length");
  const context = original ?? key("context_length") ?? 0;
  const scaling = () => {
    if (divisors?.some((value) => value !== 1)) return scalingOf(divisors, base, context);
    if (type === "none" || (type === "linear" && factor === undefined)) return undefined;
    if (type === "linear") return { rope_type: "linear", factor };
    if (type === "yarn")
      return { rope_type: "yarn", factor, original_max_position_embeddings: original };
    return refuse(`${arch}.rope.scaling.type`, type, "none, linear or yarn", "unsupported");
  };
  const found = scaling();
  return { rope_theta: base, ...(found && { rope_scaling: found }) };
}

interface Arch {
  /** `model_type` in config.json. */
  family: string;
  isPaired?: boolean;
  /** What its config.json says beside Llama's words. */
  more?: (key: Key, has: (tensor: string) => boolean) => Config;
}

/** Of Gemma's larger models the scale is that of the width divided by the heads. */
const gemmaScalar = (key: Key, largest: number) =>
  key("block_count") === largest
    ? key("embedding_length")! / key("attention.head_count")!
    : (key("attention.key_length") ?? 256);

const archs: Record<string, Arch> = {
  llama: {
    family: "llama",
    isPaired: true,
    more: (_, has) => ({
      attention_bias: has("blk.0.attn_q.bias"),
      mlp_bias: has("blk.0.ffn_up.bias"),
    }),
  },
  qwen2: { family: "qwen2" },
  qwen3: { family: "qwen3" },
  gemma: { family: "gemma" },
  gemma2: {
    family: "gemma2",
    more: (key) => ({
      attn_logit_softcapping: key("attn_logit_softcapping"),
      final_logit_softcapping: key("final_logit_softcapping"),
      sliding_window: key("attention.sliding_window"),
      query_pre_attn_scalar: gemmaScalar(key, 46),
    }),
  },
  gemma3: {
    family: "gemma3_text",
    more: (key) => ({
      sliding_window: key("attention.sliding_window"),
      sliding_window_pattern: 6,
      rope_local_base_freq: 1e4,
      query_pre_attn_scalar: gemmaScalar(key, 62),
    }),
  },
};

type Required = (name: string) => number;

/** GPT-2 has words of its own. */
const gpt2 = (required: Required): Config => ({
  n_embd: required("embedding_length"),
  n_layer: required("block_count"),
  n_head: required("attention.head_count"),
  n_inner: required("feed_forward_length"),
  n_positions: required("context_length"),
  layer_norm_epsilon: required("attention.layer_norm_epsilon"),
});

/** BERT's, and those of the sentence encoders that are made as it is. */
const bert = (required: Required, { keys }: GgufFile): Config => ({
  hidden_size: required("embedding_length"),
  num_hidden_layers: required("block_count"),
  num_attention_heads: required("attention.head_count"),
  intermediate_size: required("feed_forward_length"),
  max_position_embeddings: required("context_length"),
  layer_norm_eps: required("attention.layer_norm_epsilon"),
  type_vocab_size: keys.number("tokenizer.ggml.token_type_count") ?? 2,
});

/** Without rotations, and with few words of Llama's. */
const others: Record<string, (required: Required, file: GgufFile) => Config> = { gpt2, bert };

export async function ggufConfig(file: GgufFile): Promise<{ config: Config; isPaired: boolean }> {
  const { keys } = file;
  const arch = keys.text("general.architecture") ?? "";
  const own = <T>(table: Record<string, T>) =>
    Object.hasOwn(table, arch) ? table[arch] : undefined;
  const [known, other] = [own(archs), own(others)];
  if (!known && !other) {
    const all = [...Object.keys(archs), ...Object.keys(others)];
    refuse("general.architecture", arch, `one of ${all.join(", ")}`, "unsupported");
  }
  const key: Key = (name) => keys.number(`${arch}.${name}`);
  const required = (name: string) => {
    const value = key(name);
    if (value !== undefined) return value;
    throw new WhereformerError("malformed_file", `GGUF: the key ${arch}.${name} is missing`);
  };
  const has = (tensor: string) => file.has(tensor);
  const both = {
    vocab_size: keys.count("tokenizer.ggml.tokens") || required("vocab_size"),
    tie_word_embeddings: !has("output.weight"),
  };
  if (!known)
    return { config: { model_type: arch, ...both, ...other!(required, file) }, isPaired: false };
  const heads = required("attention.head_count");
  const config: Config = {
    model_type: known.family,
    ...both,
    hidden_size: required("embedding_length"),
    num_hidden_layers: required("block_count"),
    intermediate_size: required("feed_forward_length"),
    num_attention_heads: heads,
    num_key_value_heads: key("attention.head_count_kv") ?? heads,
    head_dim:
      key("attention.key_length") ??
      key("rope.dimension_count") ??
      required("embedding_length") / heads,
    rms_norm_eps: required("attention.layer_norm_rms_epsilon"),
    max_position_embeddings: required("context_length"),
    ...(await rotary(file, key, arch)),
    ...known.more?.(key, has),
  };
  return { config, isPaired: known.isPaired ?? false };
}
