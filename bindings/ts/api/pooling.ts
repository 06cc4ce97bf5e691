/** Pools the states of tokens into one vector, as sentence-transformers' Pooling does. */

import type { Pooling, PoolingMode } from "../types/index.js";
import { choice, listOf, refuse } from "../wire/arguments.js";
import { plainTexts } from "./embed-texts.js";

/** In the order in which older files concatenate the modes that are enabled by flags. */
export const poolingModes: readonly PoolingMode[] = [
  "cls",
  "max",
  "mean",
  "mean_sqrt_len_tokens",
  "weightedmean",
  "lasttoken",
];

/** A layer that is applied to a vector before or after the pooling. */
export interface Step {
  /** Whether it normalises to unit length. */
  isNorm: boolean;
  /** Width of its output; undefined if it equals the input's. */
  width?: number;
  apply(vector: Float64Array): Float64Array;
}

/** How to compute a text's vector. */
export interface Sentence {
  said: Omit<Pooling, "dimensions">;
  /** Layers applied to each token's vector before the pooling. */
  tokens: readonly Step[];
  /** Layers applied after it. */
  steps: readonly Step[];
}

/** The default. */
export const plainSentence: Sentence = {
  said: {
    from: "default",
    mode: "mean",
    dense: [],
    normalize: false,
    includePrompt: true,
    ...plainTexts,
  },
  tokens: [],
  steps: [],
};

export const modesOf = (mode: Pooling["mode"]): readonly PoolingMode[] =>
  typeof mode === "string" ? [mode] : mode;

export function checkedModes(value: unknown): readonly PoolingMode[] {
  if (!Array.isArray(value)) return [choice("pooling", value, poolingModes)];
  const modes = listOf("pooling", value, "modes", (mode, i) =>
    choice(`pooling[${i}]`, mode, poolingModes),
  );
  return modes.length ? modes : refuse("pooling", value, "a list of one or more modes");
}

/** Width of the vector of a text, from tokens of `width`. */
export function dimensionsOf({ said, tokens, steps }: Sentence, width: number): number {
  const after = (all: readonly Step[], first: number) =>
    all.reduce((count, step) => step.width ?? count, first);
  return after(steps, modesOf(said.mode).length * after(tokens, width));
}

/** Normalises to unit length, as `torch.nn.functional.normalize` does. */
export const normStep: Step = {
  isNorm: true,
  apply(vector) {
    const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    return vector.map((x) => x / Math.max(length, 1e-12));
  },
};

/** The states of a text's tokens. */
export interface TokenStates {
  rows: readonly Float64Array[];
  /** 0 for padding. */
  visible: Uint8Array;
  /** Number of leading tokens, without padding, that are left out of the pooling. */
  skipped: number;
}

/** The pooled vectors of all modes, concatenated. */
export function pooled(
  { rows, visible, skipped }: TokenStates,
  modes: readonly PoolingMode[],
): Float64Array {
  const begin = visible.indexOf(1);
  // Padding within a prompt counts, as in sentence-transformers.
  const counted = rows
    .map((row, t) => ({ row, weight: t + 1 - begin }))
    .filter((_, t) => visible[t] && t >= begin + skipped);
  if (!counted.length)
    refuse("promptTokens", skipped, "fewer than the text has tokens, without padding");
  const sum = (weight: (one: { weight: number }) => number) =>
    counted.reduce((total, one) => {
      const factor = weight(one);
      one.row.forEach((x, i) => {
        total[i]! += factor * x;
      });
      return total;
    }, new Float64Array(counted[0]!.row.length));
  const one = () => 1;
  const make: Record<PoolingMode, () => Float64Array> = {
    cls: () => counted[0]!.row,
    lasttoken: () => counted.at(-1)!.row,
    max: () => counted[0]!.row.map((_, i) => Math.max(...counted.map(({ row }) => row[i]!))),
    mean: () => sum(one).map((x) => x / counted.length),
    mean_sqrt_len_tokens: () => sum(one).map((x) => x / Math.sqrt(counted.length)),
    weightedmean: () => {
      const total = counted.reduce((all, { weight }) => all + weight, 0);
      return sum(({ weight }) => weight).map((x) => x / total);
    },
  };
  return Float64Array.from(modes.flatMap((mode) => [...make[mode]()]));
}
