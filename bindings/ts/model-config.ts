/** Sizes of a model, checked and completed; and the schemes that a config.json names. */
import {
  boolean,
  checkObject,
  checkOptions,
  integer,
  number,
  refuse,
  seedOf,
  text,
} from "./arguments.js";
import type { RawModelArguments } from "./core.js";
import { layerArguments } from "./layer-config.js";
import type { SchemeDescription, SchemeId, SchemeSpec } from "./types.js";

const names = [
  "vocabSize",
  "hiddenSize",
  "numLayers",
  "numHeads",
  "numKvHeads",
  "headDim",
  "intermediateSize",
  "rmsNormEps",
  "isCausal",
  "initializerRange",
  "softcap",
  "finalSoftcap",
  "sinks",
  "scheme",
  "slidingWindow",
  "chunkSize",
  "queryKeyNorm",
  "layerTypes",
  "layers",
  "seed",
];

const mostSoftcap = 1e9;

/** A config as the engine takes it. */
export function modelArguments(
  schemes: readonly SchemeDescription[],
  config: unknown,
): RawModelArguments {
  checkOptions("config", config, names);
  checkObject("config", config);
  const hiddenSize = integer("hiddenSize", config["hiddenSize"], 1, 2 ** 14);
  const numHeads = integer("numHeads", config["numHeads"], 1, 256);
  const numKvHeads = integer("numKvHeads", config["numKvHeads"] ?? numHeads, 1, 256);
  if (numHeads % numKvHeads) refuse("numKvHeads", numKvHeads, `a divisor of numHeads, ${numHeads}`);
  if (config["headDim"] === undefined && hiddenSize % numHeads) {
    refuse(
      "numHeads",
      numHeads,
      `a divisor of hiddenSize, ${hiddenSize}, where headDim is not given`,
    );
  }
  const numLayers = integer("numLayers", config["numLayers"], 1, 256);
  return {
    vocabSize: integer("vocabSize", config["vocabSize"], 1, 2 ** 20),
    hiddenSize,
    numLayers,
    numHeads,
    numKvHeads,
    headDim: integer("headDim", config["headDim"] ?? hiddenSize / numHeads, 1, 1024),
    intermediateSize: integer("intermediateSize", config["intermediateSize"], 1, 2 ** 16),
    rmsNormEps: number("rmsNormEps", config["rmsNormEps"] ?? 1e-5, Number.MIN_VALUE, 1),
    isCausal: boolean("isCausal", config["isCausal"] ?? true),
    initializerRange: number(
      "initializerRange",
      config["initializerRange"] ?? 0.02,
      Number.MIN_VALUE,
      1,
    ),
    softcap: number("softcap", config["softcap"] ?? 0, 0, mostSoftcap),
    finalSoftcap: number("finalSoftcap", config["finalSoftcap"] ?? 0, 0, mostSoftcap),
    sinks: boolean("sinks", config["sinks"] ?? false),
    seed: seedOf(config["seed"]),
    ...layerArguments(schemes, config, numLayers),
  };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Rotary facts of both generations of config.json, side by side with the others. */
function flattened(file: Record<string, unknown>): Record<string, unknown> {
  const rotary = file["rope_parameters"] ?? file["rope_scaling"];
  if (!isObject(rotary)) return file;
  const kind = rotary["rope_type"] ?? rotary["type"] ?? "default";
  if (kind !== "default") refuse("config.rope_type", kind, '"default"', "unsupported");
  return { ...file, ...rotary };
}

/** Options of a scheme that stand in the file under the keys of Hugging Face. */
function optionsIn(
  file: Record<string, unknown>,
  { options }: SchemeDescription,
): Record<string, unknown> {
  const found = options.filter(
    ({ configKey }) => configKey && (file[configKey] ?? undefined) !== undefined,
  );
  return Object.fromEntries(found.map(({ key, configKey }) => [key, file[configKey]]));
}

/** The stack that a config.json asks for. */
export function stackFromFile(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
): SchemeSpec[] {
  const listed = file["schemes"];
  if (listed !== undefined) {
    if (!Array.isArray(listed)) refuse("config.schemes", listed, "a list of { id, options }");
    return listed as SchemeSpec[];
  }
  // Some families name their scheme: `position_embedding_type: "…"`, `"<id>": true`.
  const attention = isObject(file["attn_config"]) ? file["attn_config"] : {};
  const isNamed = ({ id }: SchemeDescription) =>
    file["position_embedding_type"] === id || file[id] === true || attention[id] === true;
  const flat = flattened(file);
  const named =
    schemes.find(isNamed) ??
    schemes.find((scheme) => Object.keys(optionsIn(flat, scheme)).length > 0);
  if (!named)
    refuse(
      "config",
      file,
      `one that names its scheme in "schemes" or by Hugging Face's keys`,
      "unsupported",
    );
  return [{ id: named.id, options: optionsIn(flat, named) } as SchemeSpec];
}

/** Sizes and options of the one scheme that a config.json describes. */
export function schemeInFile(
  schemes: readonly SchemeDescription[],
  file: unknown,
): { id: SchemeId; options: Record<string, unknown> } {
  checkObject("config", file);
  const stack = stackFromFile(schemes, file);
  if (stack.length !== 1) refuse("config.schemes", stack, "a list of one scheme");
  const spec = stack[0]!;
  const { id, options } = typeof spec === "string" ? { id: spec, options: {} } : spec;
  const numHeads = (file["num_attention_heads"] ?? file["n_head"] ?? file["n_heads"]) as number;
  const width = (file["hidden_size"] ?? file["n_embd"] ?? file["d_model"]) as number;
  const kvHeads = file["num_key_value_heads"] ?? undefined;
  const sizes = { numHeads, headDim: file["head_dim"] ?? width / numHeads };
  text("config scheme id", id);
  return {
    id,
    options: { ...sizes, ...(kvHeads === undefined ? {} : { numKvHeads: kvHeads }), ...options },
  };
}
