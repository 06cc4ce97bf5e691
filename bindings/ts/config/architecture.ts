/** Checks and completes `architecture`: how a model's blocks differ from Llama's. */

import { architectureFields, modelFields } from "../generated/fields.js";
import type { Architecture } from "../types/index.js";
import { checkObject, checkOptions, integer, listOf } from "../wire/arguments.js";
import { changedFields, readFields, type Values } from "./fields.js";

export interface ArchitectureArguments extends Values<typeof architectureFields> {
  cutoffs: readonly number[];
}

const cutoffsOf = (given: unknown): readonly number[] =>
  Object.freeze(
    listOf("architecture.cutoffs", given ?? [], "a list of tokens", (token, i) =>
      integer(`architecture.cutoffs[${i}]`, token, 1, modelFields.vocabSize.max),
    ),
  );

export function architectureArguments(given: unknown = {}): ArchitectureArguments {
  checkOptions("architecture", given, [...Object.keys(architectureFields), "cutoffs"]);
  checkObject("architecture", given);
  const values = readFields(architectureFields, given, "architecture.");
  return { ...values, cutoffs: cutoffsOf(given["cutoffs"]) };
}

/** The differences from Llama's blocks; undefined if there are none. */
export function changedArchitecture(all: ArchitectureArguments): Architecture | undefined {
  const { cutoffs } = all;
  const changed: Architecture = changedFields(architectureFields, all);
  if (cutoffs.length) changed.cutoffs = cutoffs;
  return Object.keys(changed).length ? changed : undefined;
}
