/** Settings of a generation. */

import { readFields } from "../config/fields.js";
import { attentionLayers } from "../config/layer-config.js";
import { samplingFields } from "../generated/fields.js";
import type { SamplingSettings } from "../generated/module.js";
import type { GenerateOptions, Model, Tokenizer } from "../types/index.js";
import { checkOptions, integer, listOf, number, refuse, seedOf, text } from "../wire/arguments.js";
import { progressOf } from "../wire/binary.js";
import { integers } from "../wire/lists.js";
import { isPlain } from "../wire/platform.js";
import { signalOf } from "../wire/signal.js";
import { checkRecord, type RecordLists, recordLists, recordNames } from "./recording.js";

export const generateNames = [
  "maxTokens",
  ...Object.keys(samplingFields),
  "logitBias",
  "seed",
  "exact",
  "stopId",
  "stop",
  "record",
  "region",
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
  /** Maps of each token to record; undefined for none. */
  rows: RecordedRows | undefined;
  signal: AbortSignal | undefined;
  onProgress: ((done: number, total: number) => void) | undefined;
}

/** Layers and heads; empty lists mean all. */
export interface RecordedRows {
  names: ReadonlySet<string>;
  layers: Int32Array;
  lists: RecordLists;
}

function rowsOf(
  { record, region }: GenerateOptions,
  config: Model["config"],
): RecordedRows | undefined {
  const names = checkRecord(record, recordNames);
  if (region !== undefined) checkOptions("region", region, ["layers", "heads"]);
  const layers = attentionLayers("region.layers", region?.layers, config);
  const lists = recordLists(names, region, { heads: config.numHeads, rows: 0, columns: 0 });
  return lists.kinds ? { names, layers, lists } : undefined;
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
  { config, tokenizer, endTokens }: Pick<Model, "endTokens" | "tokenizer" | "config">,
): GenerationSettings {
  const { stopId = endTokens } = options;
  const { vocabSize } = config;
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
    rows: rowsOf(options, config),
    signal: signalOf(options.signal),
    onProgress: progressOf(options.onProgress),
  };
}
