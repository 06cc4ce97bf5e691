/** Shared by the families with experts: keys of config.json, and names of tensors. */

import type { Architecture } from "../types/index.js";
import type { ConfigReader } from "./config-reader.js";
import type { TensorRule } from "./family.js";

/** The router and the experts, each in tensors of its own. */
export const expertTensors: readonly TensorRule[] = [
  ["layers.#.mlp.router.weight", "layers.#.mlp.gate.weight", "exact"],
  ...["gate_proj", "up_proj", "down_proj"].map(
    (name): TensorRule => [
      `layers.#.mlp.experts.${name}.weight`,
      `layers.#.mlp.experts.%.${name}.weight`,
      "exact",
    ],
  ),
];

/** An expert that reads every token, and the projection for its sigmoid. */
export const sharedExpertTensors: readonly TensorRule[] = [
  ...["gate_proj", "up_proj", "down_proj"].map(
    (name): TensorRule => [
      `layers.#.mlp.shared_expert.${name}`,
      `layers.#.mlp.shared_expert.${name}`,
    ],
  ),
  ["layers.#.mlp.shared_expert_gate", "layers.#.mlp.shared_expert_gate"],
];

/** A softmax router, by the keys that most families have. */
export function expertArchitecture(file: ConfigReader, size: string): Architecture {
  return {
    experts: file.number("num_experts"),
    expertsPerToken: file.number("num_experts_per_tok"),
    expertSize: file.number(size),
    router: file.flag("norm_topk_prob") ? "softmaxOfChosen" : "softmax",
  };
}

/** The layers with a dense feed-forward: of those that Qwen lists, and by its period. */
export function denseLayers(file: ConfigReader, count: number): boolean[] {
  const listed = file.value("mlp_only_layers") ?? [];
  if (!Array.isArray(listed)) file.refuse("mlp_only_layers", listed, "a list of layers");
  const step = file.number("decoder_sparse_step");
  if (!(Number.isInteger(step) && step > 0))
    file.refuse("decoder_sparse_step", step, "a whole number from 1 on");
  const experts = file.number("num_experts");
  return Array.from(
    { length: Math.min(count, 256) },
    (_, i) => experts <= 0 || listed.includes(i) || (i + 1) % step !== 0,
  );
}
