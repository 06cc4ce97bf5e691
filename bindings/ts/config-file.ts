/** A model's config.json, Hugging Face's or this package's own, as a ModelConfig. */
import { refuse } from "./arguments.js";
import { layersFromFile } from "./layer-file.js";
import type { ModelConfig, SchemeDescription } from "./types.js";

/** What a checkpoint may ask for that this transformer does not do, so that it is never read wrongly. */
function refuseOtherModels(file: Record<string, unknown>): void {
  const expect = (key: string, allowed: readonly unknown[]) => {
    const value = file[key] ?? undefined;
    if (value !== undefined && !allowed.includes(value)) {
      refuse(
        `config.${key}`,
        value,
        allowed.map((item) => JSON.stringify(item)).join(" or "),
        "unsupported",
      );
    }
  };
  expect("tie_word_embeddings", [true]);
  expect("hidden_act", ["silu", "swish"]);
  expect("attention_bias", [false]);
  expect("mlp_bias", [false]);
}

/** A parsed config.json as a ModelConfig. */
export function configFromFile(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
): ModelConfig {
  refuseOtherModels(file);
  const optional = <T>(key: string, name: string): Record<string, T> =>
    (file[key] ?? undefined) === undefined ? {} : { [name]: file[key] as T };
  return {
    vocabSize: file["vocab_size"] as number,
    hiddenSize: file["hidden_size"] as number,
    numLayers: file["num_hidden_layers"] as number,
    numHeads: file["num_attention_heads"] as number,
    intermediateSize: file["intermediate_size"] as number,
    ...optional<number>("num_key_value_heads", "numKvHeads"),
    ...optional<number>("head_dim", "headDim"),
    ...optional<number>("rms_norm_eps", "rmsNormEps"),
    ...optional<boolean>("is_causal", "isCausal"),
    ...optional<number>("initializer_range", "initializerRange"),
    ...optional<number>("attn_logit_softcapping", "softcap"),
    ...optional<number>("final_logit_softcapping", "finalSoftcap"),
    ...optional<boolean>("attention_sinks", "sinks"),
    ...layersFromFile(schemes, file),
  };
}
