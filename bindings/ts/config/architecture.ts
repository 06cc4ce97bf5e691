/** Checks and completes `architecture`: how a model's blocks differ from Llama's. */

import type { Architecture } from "../types/index.js";
import {
  boolean,
  checkObject,
  checkOptions,
  choice,
  integer,
  listOf,
  number,
} from "../wire/arguments.js";

const words = {
  norm: ["rms", "layer"],
  normPlace: ["before", "after", "output", "around"],
  residual: ["serial", "parallel", "shared"],
  activation: ["silu", "gelu", "geluTanh", "relu", "geluSigmoid"],
  head: ["tied", "own", "none"],
} as const;
const flags = {
  normBias: false,
  gated: true,
  queryBias: false,
  outputBias: false,
  feedBias: false,
  headBias: false,
  finalNorm: true,
  firstNorm: true,
  embeddingNorm: false,
  crossAttention: false,
};
const integers = {
  tokenTypes: { absent: 0, max: 2 ** 16 },
  embeddingWidth: { absent: 0, max: 2 ** 14 },
  clusterDivisor: { absent: 1, max: 2 ** 14 },
};
const scales = { embeddingScale: 1, attentionScale: 0, residualScale: 1, logitScale: 1 };

const maxScale = 1e30;
const maxTokens = 2 ** 20;

/** Word options as indices, in the form that the engine reads. */
export type ArchitectureArguments = { cutoffs: readonly number[] } & Record<
  keyof typeof words | keyof typeof integers,
  number
> &
  Record<keyof typeof flags, boolean> &
  Record<keyof typeof scales, number>;

const entries = <T extends object>(record: T) =>
  Object.entries(record) as [keyof T & string, T[keyof T]][];

const cutoffsOf = (given: unknown): readonly number[] =>
  Object.freeze(
    listOf("architecture.cutoffs", given ?? [], "a list of tokens", (token, i) =>
      integer(`architecture.cutoffs[${i}]`, token, 1, maxTokens),
    ),
  );

/** Completed differences from Llama's blocks; undefined if there are none. */
export function architectureArguments(given: unknown): ArchitectureArguments | undefined {
  if (given === undefined) return undefined;
  const names = [words, flags, integers, scales].flatMap((part) => Object.keys(part));
  checkOptions("architecture", given, [...names, "cutoffs"]);
  checkObject("architecture", given);
  const read: Record<string, number | boolean | readonly number[]> = {
    cutoffs: cutoffsOf(given["cutoffs"]),
  };
  const at = (key: string) => `architecture.${key}`;
  for (const [key, known] of entries(words))
    read[key] = (known as readonly string[]).indexOf(
      choice(at(key), given[key] ?? known[0], known as readonly string[]),
    );
  for (const [key, absent] of entries(flags)) read[key] = boolean(at(key), given[key] ?? absent);
  for (const [key, { absent, max }] of entries(integers))
    read[key] = integer(at(key), given[key] ?? absent, absent, max);
  for (const [key, absent] of entries(scales))
    read[key] = number(at(key), given[key] ?? absent, 0, maxScale);
  const isOther = Object.keys(spoken(read as ArchitectureArguments)).length > 0;
  return isOther ? (read as ArchitectureArguments) : undefined;
}

/** Differences from Llama's blocks, with words in place of indices. */
export function spoken(given: ArchitectureArguments): Architecture {
  const said: Record<string, unknown> = {};
  for (const [key, { absent }] of entries(integers))
    if (given[key] !== absent) said[key] = given[key];
  if (given.cutoffs.length) said["cutoffs"] = given.cutoffs;
  for (const [key, known] of entries(words)) if (given[key]) said[key] = known[given[key]];
  for (const part of [flags, scales])
    for (const [key, absent] of entries(part as Record<keyof typeof flags, boolean>))
      if (given[key] !== absent) said[key] = given[key];
  return said;
}
