/** Generates text token by token. */

import type { Generation, GenerationSettings } from "../generated/module.js";
import type { GenerateOptions } from "../types/index.js";
import { boolean, integer, number, seedOf } from "../wire/arguments.js";
import type { Core } from "../wire/core.js";
import { EngineObject } from "../wire/handle.js";
import { integers } from "../wire/lists.js";

export const generateNames = [
  "maxTokens",
  "temperature",
  "topK",
  "topP",
  "seed",
  "exact",
  "stopId",
  "signal",
];

/** Sampling settings. */
export const generationSettings = (
  options: GenerateOptions,
  maxTokens: number,
): GenerationSettings => ({
  maxTokens,
  temperature: number("temperature", options.temperature ?? 1, 0, 100),
  topK: integer("topK", options.topK ?? 0, 0),
  topP: number("topP", options.topP ?? 1, Number.MIN_VALUE, 1),
  seed: seedOf(options.seed),
  isExact: boolean("exact", options.exact ?? false),
});

/** The ids of tokens that end a text. */
export const stopIdsOf = (value: GenerateOptions["stopId"], vocabSize: number): Int32Array =>
  typeof value === "object"
    ? integers("stopId", value, 0, vocabSize - 1)
    : Int32Array.from(value === undefined ? [] : [integer("stopId", value, 0, vocabSize - 1)]);

export class GenerationHandle extends EngineObject<Generation> {
  constructor(core: Core, raw: Generation) {
    super(core, raw, "generation");
  }

  next(): number {
    const { core, raw } = this;
    const { code, id } = core.run(0, () => raw.next());
    core.check(code);
    return id;
  }
}
