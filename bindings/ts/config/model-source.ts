/** The source of a model and the options of `wf.model`. */

import { weightTypes } from "../generated/fields.js";
import type { WeightType } from "../types/index.js";
import { boolean, checkOptions, choice, text } from "../wire/arguments.js";
import { type Download, progressOf } from "../wire/binary.js";
import { isDataTransfer, isPlain } from "../wire/platform.js";
import { signalOf } from "../wire/signal.js";
import { type GivenTokenizer, givenTokenizer } from "./tokenizer.js";

/** Reads dropped items at once: they are gone after the event. */
export const dropped = (source: unknown): unknown =>
  isDataTransfer(source) ? Array.from(source.items, (item) => item.webkitGetAsEntry()) : source;

/** Whether a source is only a config, for a model with initial weights. */
export const isConfig = (source: unknown): source is Record<string, unknown> =>
  isPlain(source) && !("kept" in source) && !("weights" in source) && !("config" in source);

export interface SourceOptions {
  download: Download;
  tokenizer: GivenTokenizer | undefined;
  allowNotFinite: boolean;
  dtype: WeightType;
  /** Checked when the model is kept; undefined: not kept. */
  keep: string | undefined;
}

/** Checks the options of `wf.model`. */
export function sourceOptions(options: unknown): SourceOptions {
  checkOptions("options", options, [
    "tokenizer",
    "dtype",
    "allowNotFinite",
    "keep",
    "signal",
    "onProgress",
  ]);
  const given = options as Record<string, unknown>;
  return {
    download: { signal: signalOf(given["signal"]), onProgress: progressOf(given["onProgress"]) },
    tokenizer: givenTokenizer(given["tokenizer"]),
    dtype: choice("dtype", given["dtype"] ?? weightTypes[0], weightTypes),
    keep: given["keep"] === undefined ? undefined : text("keep", given["keep"]),
    allowNotFinite: boolean("allowNotFinite", given["allowNotFinite"] ?? false),
  };
}
