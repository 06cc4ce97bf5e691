/** Tokens that end a text, by a model's files. */

import type { GgufKeys } from "./gguf-keys.js";

type Config = Readonly<Record<string, unknown>>;

const idsIn = (value: unknown): number[] =>
  [value].flat().filter((id): id is number => Number.isInteger(id) && (id as number) >= 0);

/** From generation_config.json, or else config.json. */
export function endTokens(generation: Config | undefined, config: Config | undefined): number[] {
  const textConfig = config?.["text_config"] as Config | undefined;
  const given = [generation, config, textConfig].map((file) => idsIn(file?.["eos_token_id"]));
  return given.find((ids) => ids.length > 0) ?? [];
}

/** From a GGUF file: the ends of a text, of a turn and of a message. */
export function ggufEndTokens(keys: GgufKeys): number[] {
  const names = ["eos_token_id", "eot_token_id", "eom_token_id", "eos_token_ids"];
  return [...new Set(names.flatMap((name) => idsIn(keys.value(`tokenizer.ggml.${name}`))))];
}
