import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors, queryKeyNorms } from "./llama-block.js";
import { qwenAbsent, qwenLayers } from "./qwen2.js";

/** The config around the text part says whether there is a head; alone it has none of its own. */
const tie_word_embeddings = true;
const headOf = (file: ConfigReader) =>
  file.flag("tie_word_embeddings", true) ? ("tied" as const) : ("own" as const);

/** Transformers' default sections are those of 64 pairs. */
function checkSections(file: ConfigReader, headDim: number): void {
  const groups = ["rope_scaling", "rope_parameters"];
  if (headDim !== 128 && groups.every((key) => file.value(`${key}.mrope_section`) === undefined))
    file.refuse("rope_parameters", null, "mrope_section, here or in rope_scaling, for such heads");
}

/** Qwen2's block, whose pairs of channels turn by time, row or column. */
const qwen2Named = (id: string): Family => ({
  id,
  absent: {
    ...qwenAbsent,
    vocab_size: 152064,
    hidden_size: 8192,
    intermediate_size: 29568,
    num_hidden_layers: 80,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    rms_norm_eps: 1e-5,
    max_window_layers: 80,
    tie_word_embeddings,
  },
  read(file) {
    const sizes = llamaSizes(file);
    checkSections(file, sizes.headDim);
    return {
      ...sizes,
      architecture: {
        head: headOf(file),
        activation: file.activation("hidden_act"),
        queryBias: true,
      },
      tensors: llamaTensors,
      ...llamaFile,
      layers: qwenLayers(file),
    };
  },
  layerKeys: `${rotaryKeys} ${windowKeys}`,
});

/** Wang et al. 2024, arXiv 2409.12191, and Bai et al. 2025, arXiv 2502.13923: the text parts. */
export const qwen2Vl = qwen2Named("qwen2_vl_text");
export const qwen25Vl = qwen2Named("qwen2_5_vl_text");

/** Bai et al. 2025, arXiv 2511.21631: the text part, Qwen3's block. */
export const qwen3Vl: Family = {
  id: "qwen3_vl_text",
  absent: {
    ...llamaAbsent,
    vocab_size: 151936,
    intermediate_size: 22016,
    num_key_value_heads: 32,
    head_dim: 128,
    max_position_embeddings: 128000,
    tie_word_embeddings,
  },
  read(file) {
    const bias = file.flag("attention_bias");
    return {
      ...llamaSizes(file),
      architecture: {
        head: headOf(file),
        activation: file.activation("hidden_act"),
        queryBias: bias,
        outputBias: bias,
      },
      tensors: [...llamaTensors, ...queryKeyNorms],
      ...llamaFile,
      layers: { query_key_norm: "weighted" },
    };
  },
  layerKeys: rotaryKeys,
};
