import type { ConfigReader } from "./config-reader.js";
import { type Family, rotaryKeys, windowKeys } from "./family.js";
import { llamaFile, llamaSizes, llamaTensors } from "./llama-block.js";

/** Layers from `max_window_layers` on have the window, if there is one. */
export function qwenLayers(file: ConfigReader): Record<string, unknown> {
  const isWindowed = file.flag("use_sliding_window", false);
  const first = file.number("max_window_layers", 28);
  if (!isWindowed) return { sliding_window: null };
  if (file.value("layer_types") !== undefined) return {};
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
  read: (file) => ({
    ...llamaSizes(file),
    architecture: {
      head: file.head("own"),
      activation: file.activation("hidden_act", "silu"),
      queryBias: true,
    },
    tensors: llamaTensors,
    ...llamaFile,
    layers: qwenLayers(file),
  }),
  layerKeys: `${rotaryKeys} ${windowKeys}`,
  harmless: "use_mrope",
};
