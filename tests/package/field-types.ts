/**
 * The documented types of settings and words have the names and types that the engine describes
 * (generated/fields.ts). Nothing here runs: `tsc` must accept it.
 */
import type { Values } from "../../bindings/ts/config/fields.js";
import type {
  architectureFields,
  attentionFields,
  crossAttentions,
  errorCodes,
  layerTypeFields,
  modelFields,
  optionKinds,
  recordKinds,
  samplingFields,
  trainingFields,
  weightTypes,
} from "../../bindings/ts/generated/fields.js";
import type {
  Architecture,
  AttentionOptions,
  ErrorCode,
  GenerateOptions,
  LayerSpec,
  ModelConfig,
  RecordName,
  SchemeDescription,
  SchemeOption,
  SlidingWindow,
  TrainingSettings,
  WeightType,
} from "../../bindings/ts/types/index.js";

/** True if two types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** The settings that a type documents, without `Other`. */
type Documented<Type, Other extends keyof Type> = {
  [Name in keyof Required<Omit<Type, Other>>]: Required<Type>[Name & keyof Type];
};
/** The settings that the engine describes; a window has a second form. */
type Described<List> = {
  [Name in keyof Values<List>]: Name extends "slidingWindow" ? SlidingWindow : Values<List>[Name];
};

export const same: [
  Same<Documented<Architecture, "cutoffs">, Described<typeof architectureFields>>,
  Same<Documented<LayerSpec, "scheme">, Described<typeof layerTypeFields>>,
  Same<
    Documented<ModelConfig, keyof LayerSpec | "architecture" | "layerTypes" | "layers" | "seed">,
    Described<typeof modelFields>
  >,
  Same<Documented<AttentionOptions, "scheme" | "sinks">, Described<typeof attentionFields>>,
  Same<
    Documented<
      GenerateOptions,
      | "maxTokens"
      | "logitBias"
      | "seed"
      | "exact"
      | "stopId"
      | "stop"
      | "record"
      | "region"
      | "signal"
      | "onProgress"
    >,
    Described<typeof samplingFields>
  >,
  Same<Documented<TrainingSettings, "task" | "seed" | "resume">, Described<typeof trainingFields>>,
  Same<WeightType, (typeof weightTypes)[number]>,
  Same<RecordName | "effectiveWeights", keyof typeof recordKinds>,
  Same<Exclude<(typeof errorCodes)[number], "ok" | ErrorCode>, never>,
  Same<SchemeOption["kind"], (typeof optionKinds)[number]>,
  Same<SchemeDescription["crossAttention"], (typeof crossAttentions)[number]>,
] = [true, true, true, true, true, true, true, true, true, true, true];
