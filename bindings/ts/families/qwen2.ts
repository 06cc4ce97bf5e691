import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaAbsent, llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

export const qwenAbsent = {
  ...llamaAbsent,
  vocab_size: 151936,
  intermediate_size: 22016,
  num_key_value_heads: 32,
  max_position_embeddings: 32768,
  use_sliding_window: false,
  sliding_window: 4096,
  max_window_layers: 28,
};

/** Layers from `max_window_layers` on have the window, if there is one. */
export function qwenLayers(file: ConfigReader): Record<string, unknown> {
  const isWindowed = file.flag("use_sliding_window");
  const first = file.number("max_window_layers");
  const types = file.value("layer_types");
  if (!isWindowed && Array.isArray(types) && types.includes("sliding_attention"))
    file.refuse("use_sliding_window", false, "true, since layer_types has layers with a window");
  if (!isWindowed || file.value("sliding_window") === undefined) return { sliding_window: null };
  if (types !== undefined) return {};
  const count = file.number("num_hidden_layers");
  return {
    layer_types: Array.from({ length: Math.min(count, 256) }, (_, i) =>
      i < first ? "full_attention" : "sliding_attention",
    ),
  };
}

/** Yang et al. 2024, arXiv 2407.10671; Qwen2.5 too. */
export const qwen2: Family = {
  id: "qwen2",
  absent: qwenAbsent,
  read: (file) => ({
    ...llamaSizes(file),
    architecture: {
      head: file.head(),
      activation: file.activation("hidden_act"),
      queryBias: true,
    },
    tensors: llamaTensors,
    ...llamaFile,
    layers: qwenLayers(file),
  }),
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "use_mrope",
};
