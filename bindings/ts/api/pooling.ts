/** How states of tokens become one vector, as sentence-transformers' Pooling computes it. */

import type { Pooling, PoolingMode } from "../types/index.js";
import { choice, listOf, refuse } from "../wire/arguments.js";
import { plainTexts } from "./embed-texts.js";

/** In the order in which flags of older files lay several one after the other. */
export const poolingModes: readonly PoolingMode[] = [
  "cls",
  "max",
  "mean",
  "mean_sqrt_len_tokens",
  "weightedmean",
  "lasttoken",
];

/** What a vector goes through before or after the pooling. */
export interface Step {
  /** Whether it divides by the length. */
  isNorm: boolean;
  /** Numbers of the vector that it gives; undefined where these are as many as it takes. */
  width?: number;
  apply(vector: Float64Array): Float64Array;
}

/** How a text's vector is made. */
export interface Sentence {
  said: Omit<Pooling, "dimensions">;
  /** Of the vector of each token, before the pooling. */
  tokens: readonly Step[];
  /** After it. */
  steps: readonly Step[];
}

/** What is done where nothing says more. */
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
  return modes.length ? modes : refuse("pooling", value, "one or more modes");
}

/** Numbers of a vector, from tokens of `width`. */
export function dimensionsOf({ said, tokens, steps }: Sentence, width: number): number {
  const after = (all: readonly Step[], first: number) =>
    all.reduce((count, step) => step.width ?? count, first);
  return after(steps, modesOf(said.mode).length * after(tokens, width));
}

/** Divides by the length, as `torch.nn.functional.normalize` does. */
export const normStep: Step = {
  isNorm: true,
  apply(vector) {
    const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    return vector.map((x) => x / Math.max(length, 1e-12));
  },
};

/** States of a text's tokens. */
export interface TokenStates {
  rows: readonly Float64Array[];
  /** 0 for padding. */
  visible: Uint8Array;
  /** Tokens that matter from the first one on, and are left out of the pooling. */
  skipped: number;
}

/** The pooled vectors, one after the other. */
export function pooled(
  { rows, visible, skipped }: TokenStates,
  modes: readonly PoolingMode[],
): Float64Array {
  const begin = visible.indexOf(1);
  // Padding within a prompt counts, as in the original.
  const counted = rows
    .map((row, t) => ({ row, weight: t + 1 - begin }))
    .filter((_, t) => visible[t] && t >= begin + skipped);
  if (!counted.length)
    refuse("promptTokens", skipped, "less than the tokens of the text that are no padding");
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
