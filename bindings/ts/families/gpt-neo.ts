import { refuse } from "../wire/arguments.js";
import type { ConfigReader } from "./config-reader.js";
import type { Family } from "./family.js";

const maxLayers = 256;

/** "global" and "local": a word for each layer, or a pattern: [[["global", "local"], 12]]. */
function layerTypes(file: ConfigReader): string[] {
  const types = file.value("attention_types");
  const rhythm: unknown =
    file.value("attention_layers") ??
    (Array.isArray(types)
      ? types.flatMap((part: unknown) =>
          Array.isArray(part) && Array.isArray(part[0]) && part[1] >= 1 && part[1] <= maxLayers
            ? Array.from({ length: part[1] as number }, () => part[0] as unknown[]).flat()
            : [undefined],
        )
      : types);
  if (Array.isArray(rhythm) && rhythm.every((word) => word === "global" || word === "local"))
    return rhythm.map((word) => (word === "global" ? "full_attention" : "sliding_attention"));
  return refuse("config.attention_types", types, 'lists of "global" and "local"', "unsupported");
}

/** Black et al. 2021, and the TinyStories models: every other layer has a window, and no 1/√D. */
export const gptNeo: Family = {
  id: "gpt_neo",
  absent: {
    vocab_size: 50257,
    max_position_embeddings: 2048,
    hidden_size: 2048,
    num_layers: 24,
    num_heads: 16,
    attention_types: [[["global", "local"], 12]],
    window_size: 256,
    activation_function: "gelu_new",
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: true,
  },
  aliases: { num_attention_heads: "num_heads", num_hidden_layers: "num_layers" },
  read(file) {
    const hiddenSize = file.number("hidden_size");
    const attention = "h.#.attn.attention";
    return {
      vocabSize: file.number("vocab_size"),
      hiddenSize,
      numLayers: file.number("num_layers"),
      numHeads: file.number("num_heads"),
      intermediateSize: file.number("intermediate_size", 4 * hiddenSize),
      rmsNormEps: file.number("layer_norm_epsilon"),
      architecture: {
        head: file.head(),
        norm: "layer",
        normBias: true,
        activation: file.activation("activation_function"),
        gated: false,
        outputBias: true,
        feedBias: true,
        attentionScale: 1,
      },
      tensors: [
        ["embed_tokens", "wte"],
        ["position.learned.embeddings", "wpe.weight", "exact"],
        ["norm", "ln_f"],
        ["layers.#.input_layernorm", "h.#.ln_1"],
        ["layers.#.self_attn.q_proj", `${attention}.q_proj`],
        ["layers.#.self_attn.k_proj", `${attention}.k_proj`],
        ["layers.#.self_attn.v_proj", `${attention}.v_proj`],
        ["layers.#.self_attn.o_proj", `${attention}.out_proj`],
        ["layers.#.post_attention_layernorm", "h.#.ln_2"],
        ["layers.#.mlp.up_proj", "h.#.mlp.c_fc"],
        ["layers.#.mlp.down_proj", "h.#.mlp.c_proj"],
      ],
      prefix: "transformer.",
      passes: "*.attention.bias *.attention.masked_bias",
      layers: { layer_types: layerTypes(file), sliding_window: file.number("window_size") },
    };
  },
  layerKeys: "max_position_embeddings",
  harmless: "embed_dropout resid_dropout",
};
