/** Vectors of texts: the arguments and steps of `model.embed`. */

import type { EmbedOptions, Model } from "../types/index.js";
import { boolean, checkOptions, integer, listOf, refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import { isListOfTexts, readTexts } from "./embed-texts.js";
import { attentionMask } from "./padding.js";
import {
  checkedModes,
  modesOf,
  normStep,
  plainSentence,
  pooled,
  type Sentence,
  type Step,
} from "./pooling.js";
import { hasVectors } from "./vectors.js";

const optionNames = ["pooling", "normalize", "prompt", "promptTokens", "attentionMask"];

/** The tokenizer and the pooling of a model, or the error that explains why they are unknown. */
export interface Embedder {
  reader: Pick<Model, "run" | "tokenizer" | "config">;
  sentence: Sentence | WhereformerError;
}

/** The texts of a call, whose vectors are computed one at a time. */
export interface EmbedCall {
  isList: boolean;
  count: number;
  vectorOf(index: number): Float32Array;
}

/** The folder's pooling with the options of a call. */
function changed(sentence: Embedder["sentence"], options: EmbedOptions): Sentence {
  const modes = options.pooling === undefined ? undefined : checkedModes(options.pooling);
  const isUnknown = sentence instanceof WhereformerError;
  if (isUnknown && !modes)
    throw new WhereformerError(sentence.code, sentence.message, sentence.details, sentence);
  const { said, tokens, steps } = isUnknown ? plainSentence : sentence;
  const mode = modes ?? said.mode;
  if (options.normalize === undefined) return { said: { ...said, mode }, tokens, steps };
  const isWanted = boolean("normalize", options.normalize);
  const lastOther = steps.findLastIndex((step) => !step.isNorm);
  const kept = steps.slice(0, lastOther + 1);
  return { said: { ...said, mode }, tokens, steps: isWanted ? [...kept, normStep] : kept };
}

const through = (vector: Float64Array, steps: readonly Step[]): Float64Array =>
  steps.reduce((now, step) => step.apply(now), vector);

/** Checks the arguments of a call. */
export function embedCall(
  { reader, sentence }: Embedder,
  input: unknown,
  options: EmbedOptions,
): EmbedCall {
  checkOptions("options", options, optionNames);
  const { said, tokens, steps } = changed(sentence, options);
  const modes = modesOf(said.mode);
  if (hasVectors(input)) refuse("input", input, "a text or token ids, or a list of either");
  const read = readTexts(input, options, reader.tokenizer, said);
  const skipped = said.includePrompt ? 0 : integer("promptTokens", read.promptTokens ?? 0, 0);
  const isList = isListOfTexts(read.input);
  const texts: readonly unknown[] = isList ? (read.input as unknown[]) : [read.input];
  const masks = masksOf(options.attentionMask, isList, texts.length);
  return {
    isList,
    count: texts.length,
    vectorOf(index) {
      const mask = masks[index] as EmbedOptions["attentionMask"] & readonly number[];
      const ids = texts[index] as readonly number[];
      const masked = mask === undefined ? {} : { attentionMask: mask };
      const { data, shape } = reader.run(ids, { record: ["hidden"], ...masked }).hidden!;
      const [count, width] = shape as [number, number];
      const rows = Array.from({ length: count }, (_, t) =>
        through(Float64Array.from(data.subarray(t * width, (t + 1) * width)), tokens),
      );
      const visible = mask ? attentionMask(mask, count) : new Uint8Array(count).fill(1);
      return Float32Array.from(through(pooled({ rows, visible, skipped }, modes), steps));
    },
  };
}

/** The mask of each text; empty if no mask was given. */
function masksOf(value: unknown, isList: boolean, count: number): readonly unknown[] {
  if (value === undefined) return [];
  if (!isList) return [value];
  const allowed = `a list of ${count} masks, one for each text`;
  const masks = listOf("attentionMask", value, allowed, (mask, i) =>
    i < count ? mask : refuse("attentionMask", value, allowed),
  );
  return masks.length === count ? masks : refuse("attentionMask", value, allowed);
}
