/** The names of tensors in GGUF files. */

import type { FamilyConfig, TensorRule } from "../families/family.js";

/** GGUF's names of this package's tensors; both without ".weight" and ".bias". */
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
  "layers.#.self_attn.sinks": "blk.#.attn_sinks.weight",
  "layers.#.mlp.router": "blk.#.ffn_gate_inp",
  "layers.#.mlp.experts.gate_proj": "blk.#.ffn_gate_exps",
  "layers.#.mlp.experts.up_proj": "blk.#.ffn_up_exps",
  "layers.#.mlp.experts.down_proj": "blk.#.ffn_down_exps",
  "layers.#.mlp.shared_expert.gate_proj": "blk.#.ffn_gate_shexp",
  "layers.#.mlp.shared_expert.up_proj": "blk.#.ffn_up_shexp",
  "layers.#.mlp.shared_expert.down_proj": "blk.#.ffn_down_shexp",
  "layers.#.mlp.shared_expert_gate": "blk.#.ffn_gate_inp_shexp",
  "layers.#.conv.in_proj": "blk.#.shortconv.in_proj",
  "layers.#.conv.conv": "blk.#.shortconv.conv",
  "layers.#.conv.out_proj": "blk.#.shortconv.out_proj",
};

/** Norms after attention or feed-forward, if they come after the residual sum. */
const namesAfter: Record<string, string> = {
  "layers.#.attention_norm": "blk.#.attn_output_norm",
  "layers.#.feed_norm": "blk.#.layer_output_norm",
};

/** How a model in a GGUF file differs from one beside a config.json. */
export interface GgufForm {
  isCausal: boolean;
  /** Whether rotated pairs of queries and keys are adjacent rows, as converters reorder them. */
  isPaired: boolean;
  /** Tensors to skip, in the form of FamilyConfig. */
  passes: string;
  /** Names of this architecture that differ from those of others. */
  names: Readonly<Record<string, string>>;
}

/**
 * A family's config for its GGUF files: no transposed weights, and norms whose weights include the
 * 1 that is added elsewhere.
 */
export function forGguf(
  config: FamilyConfig,
  { isCausal, isPaired, passes, names: different }: GgufForm,
): FamilyConfig {
  const isAfter = config.architecture.normPlace === "after";
  const namesHere = { ...names, ...(isAfter && namesAfter), ...different };
  const tensors = config.tensors.map(([ours, , flags = ""]): TensorRule => {
    const [, stem, kind = ""] = /^(.*?)(\.weight|\.bias)?$/.exec(ours)!;
    const theirs = namesHere[stem!]! + kind;
    // Experts: a list of matrices, or of vectors.
    if (stem!.includes(".experts."))
      return [ours, theirs, kind === ".bias" ? "F exact" : "L exact"];
    const isRotated = isPaired && /(?:q|k)_proj$/.test(ours);
    const kept = flags.includes("exact") ? "exact" : "";
    return [ours, theirs, isRotated ? "P" : kept];
  });
  return { ...config, isCausal, tensors, prefix: "", passes, head: "output" };
}
