import type { Family } from "./family.js";
import { gptAliases, gptBlock, gptTensors } from "./gpt2.js";

/** Allal et al. 2023, arXiv 2301.03988 (SantaCoder, StarCoder): GPT-2 with one key head. */
export const gptBigCode: Family = {
  id: "gpt_bigcode",
  absent: {
    vocab_size: 50257,
    n_positions: 1024,
    n_embd: 768,
    n_layer: 12,
    n_head: 12,
    activation_function: "gelu_pytorch_tanh",
    layer_norm_epsilon: 1e-5,
    scale_attn_weights: true,
    multi_query: true,
    tie_word_embeddings: true,
  },
  aliases: gptAliases,
  read(file) {
    const hasOneKey = file.flag("multi_query");
    file.only("add_cross_attention", false);
    const block = gptBlock(file);
    return {
      ...block,
      numKvHeads: hasOneKey ? 1 : block.numHeads,
      // With as many key heads as heads, queries, keys and values are interleaved by head.
      tensors: gptTensors("", hasOneKey ? "" : "heads"),
      prefix: "transformer.",
      passes: "*.attn.bias *.attn.masked_bias",
    };
  },
  layerKeys: "n_positions",
  harmless:
    "attention_softmax_in_fp32 scale_attention_softmax_in_fp32 num_key_value_heads " +
    "inference_runner max_batch_size max_sequence_length pad_key_length pre_allocate_kv_cache " +
    "validate_runner_input",
};
