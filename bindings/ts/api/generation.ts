/** Settings of a generation. */

import { readFields } from "../config/fields.js";
import { samplingFields } from "../generated/fields.js";
import type { SamplingSettings } from "../generated/module.js";
import type { GenerateOptions, Model, Tokenizer } from "../types/index.js";
import { integer, listOf, number, refuse, seedOf, text } from "../wire/arguments.js";
import { progressOf } from "../wire/binary.js";
import { integers } from "../wire/lists.js";
import { isPlain } from "../wire/platform.js";
import { signalOf } from "../wire/signal.js";

export const generateNames = [
  "maxTokens",
  ...Object.keys(samplingFields),
  "logitBias",
  "seed",
  "exact",
  "stopId",
  "stop",
  "signal",
  "onProgress",
];

export interface GenerationSettings {
  sampling: SamplingSettings;
  /** Added to the logits of tokens, by id. */
  biases: ReadonlyMap<number, number>;
  maxTokens: number;
  /** Ids of tokens that end a text. */
  endIds: Int32Array;
  /** Texts that end a text. */
  stops: readonly string[];
  signal: AbortSignal | undefined;
  onProgress: ((done: number, total: number) => void) | undefined;
}

function biasesOf(value: unknown, vocabSize: number): Map<number, number> {
  if (value === undefined) return new Map();
  if (!isPlain(value)) return refuse("logitBias", value, "an object of numbers by token id");
  return new Map(
    Object.entries(value).map(([id, bias]) => [
      integer("logitBias, a token id", Number(id), 0, vocabSize - 1),
      number(`logitBias[${id}]`, bias),
    ]),
  );
}

/** The texts that end a text. Errors: `unsupported` without a tokenizer. */
export function stopsOf(value: unknown, tokenizer: Tokenizer | undefined): string[] {
  if (value === undefined) return [];
  const list =
    typeof value === "string"
      ? [value]
      : listOf("stop", value, "a text or a list of texts", (item) => text("stop", item));
  if (list.includes("")) refuse("stop", "", "a text that is not empty");
  if (list.length && !tokenizer)
    refuse("stop", list[0], "undefined, since the model has no tokenizer", "unsupported");
  return list;
}

export function generationSettings(
  options: GenerateOptions,
  {
    config: { vocabSize },
    tokenizer,
    endTokens,
  }: Pick<Model, "endTokens" | "tokenizer"> & { config: Pick<Model["config"], "vocabSize"> },
): GenerationSettings {
  const { stopId = endTokens } = options;
  return {
    sampling: {
      ...readFields(samplingFields, { ...options }),
      seed: seedOf(options.seed),
    },
    biases: biasesOf(options.logitBias, vocabSize),
    maxTokens: integer("maxTokens", options.maxTokens ?? 100, 1),
    endIds:
      typeof stopId === "object"
        ? integers("stopId", stopId, 0, vocabSize - 1)
        : Int32Array.of(integer("stopId", stopId, 0, vocabSize - 1)),
    stops: stopsOf(options.stop, tokenizer),
    signal: signalOf(options.signal),
    onProgress: progressOf(options.onProgress),
  };
}
