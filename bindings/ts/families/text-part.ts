/** The text part of models that read pictures too, whose config.json nests it in `text_config`. */

import { show } from "../wire/arguments.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import type { FamilyConfig, TensorRule } from "./family.js";
import { harmless } from "./harmless.js";
import { isObject } from "./schemes.js";

type File = Record<string, unknown>;

interface Outer {
  /** `model_type` of the text part, if it names none. */
  text: string;
  /** Whether the head is tied, by what the file and its text part say. */
  isTied(file: unknown, text: unknown): unknown;
}

const qwen = (text: string): Outer => ({
  text,
  isTied: (file, inner) => file === true || inner === true,
});

/** By `model_type`. */
const outers: Readonly<Record<string, Outer>> = {
  gemma3: { text: "gemma3_text", isTied: (file) => file ?? true },
  llama4: { text: "llama4_text", isTied: (_file, inner) => inner ?? false },
  mistral3: { text: "mistral", isTied: (file) => file ?? true },
  qwen2_vl: qwen("qwen2_vl_text"),
  qwen2_5_vl: qwen("qwen2_5_vl_text"),
  qwen3_vl: { text: "qwen3_vl_text", isTied: (file) => file ?? false },
  qwen3_5: { text: "qwen3_5_text", isTied: (file) => file ?? false },
};

/** Values of `model_type`. */
export const outerTypes: readonly string[] = Object.keys(outers);

/** Keys of pictures, and of tokens that stand for them. */
const ofPictures = new Set(
  `text_config vision_config image_token_id image_token_index video_token_id vision_token_id
  vision_start_token_id vision_end_token_id boi_token_id boi_token_index eoi_token_id
  eoi_token_index mm_tokens_per_image projector_hidden_act vision_feature_layer
  multimodal_projector_bias spatial_merge_size`.split(/\s+/),
);

const passes = "visual.* vision_tower.* vision_model.* multi_modal_projector.*";

function refuseOthers(file: File, family: string): void {
  for (const [key, value] of Object.entries(file)) {
    if (value === null || ofPictures.has(key) || harmless.has(key)) continue;
    if (key === "tie_word_embeddings") continue;
    const [argument, allowed] = [`config.${key}`, `no such key with model_type "${family}"`];
    const message = unexpected(argument, show(value), allowed);
    throw new WhereformerError("unsupported", message, { argument, value, allowed });
  }
}

/**
 * The config.json of the text part, which the first files of Qwen2-VL do not nest; undefined for
 * models that read only texts. Errors: unsupported for an unknown key beside the text part.
 */
export function textPartOf(file: File): File | undefined {
  const family = file["model_type"];
  if (typeof family !== "string") return undefined;
  const outer = Object.hasOwn(outers, family) ? outers[family] : undefined;
  if (!outer) return undefined;
  const nested = file["text_config"];
  const tied = (inner: unknown) => outer.isTied(file["tie_word_embeddings"] ?? undefined, inner);
  if (!isObject(nested)) {
    const ofText = Object.entries(file).filter(([key]) => !ofPictures.has(key));
    const text = Object.fromEntries(ofText);
    return { ...text, model_type: outer.text, tie_word_embeddings: tied(undefined) };
  }
  refuseOthers(file, family);
  return {
    model_type: outer.text,
    ...nested,
    tie_word_embeddings: tied(nested["tie_word_embeddings"]),
  };
}

/** A text part's config, for files that have the tensors of pictures beside its tensors. */
export function besidePictures(config: FamilyConfig): FamilyConfig {
  const anywhere = (names: string) =>
    names
      .split("|")
      .flatMap((name) => [name, `language_model.${name}`, `language_model.model.${name}`])
      .join("|");
  return {
    ...config,
    tensors: config.tensors.map(
      ([ours, theirs, ...rest]): TensorRule => [ours, anywhere(theirs), ...rest],
    ),
    passes: `${config.passes ?? ""} ${passes}`,
    head: "lm_head|language_model.lm_head",
  };
}
