/**
 * Reads sentence-transformers' settings for vectors of texts: modules.json and the modules that it
 * lists, of newer and older versions of that library.
 */

import { normStep, plainSentence, poolingModes, type Sentence, type Step } from "../api/pooling.js";
import { parseJson } from "../config/json-file.js";
import type { DenseLayer, PoolingMode } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import { denseOf, layerNormOf } from "./dense.js";
import type { GgufKeys } from "./gguf-keys.js";
import { modulesName, modulesOf, type SentenceFiles } from "./sentence-folder.js";
import { smallTensors } from "./small-tensors.js";

type Config = Record<string, unknown>;

const malformed = (text: string): never => {
  throw new WhereformerError("malformed_file", text);
};

const absent = (path: string, why = "") =>
  malformed(
    `${path}: ${modulesName} names this file, and it is missing${why}; pass the whole folder, ` +
      "or embed's option pooling",
  );

/** Flags in older files; enabled modes are concatenated. */
const flags: Record<PoolingMode, string> = {
  cls: "pooling_mode_cls_token",
  max: "pooling_mode_max_tokens",
  mean: "pooling_mode_mean_tokens",
  mean_sqrt_len_tokens: "pooling_mode_mean_sqrt_len_tokens",
  weightedmean: "pooling_mode_weightedmean_tokens",
  lasttoken: "pooling_mode_lasttoken",
};
const poolingKeys = [
  ...Object.values(flags),
  "pooling_mode",
  "include_prompt",
  "embedding_dimension",
  "word_embedding_dimension",
];

/** The modes in a Pooling's config.json; the mean if it has none. */
function modesIn(where: string, config: Config): PoolingMode[] {
  for (const [key, value] of Object.entries(config))
    if (!poolingKeys.includes(key) && value !== false && value !== null)
      refuse(`${where}: ${key}`, value, "no such key", "unsupported");
  const said =
    config["pooling_mode"] ?? poolingModes.filter((mode) => config[flags[mode]] === true);
  const list: unknown[] = Array.isArray(said) ? said : [said];
  const isMode = (mode: unknown): mode is PoolingMode => poolingModes.some((one) => one === mode);
  if (!list.every(isMode))
    return refuse(
      `${where}: pooling_mode`,
      said,
      `one of ${poolingModes.join(", ")}`,
      "unsupported",
    );
  return list.length ? list : ["mean"];
}

/** The modules that are applied to the states of a text's tokens, composed in order. */
class Modules {
  readonly #files: SentenceFiles;
  readonly dense: DenseLayer[] = [];
  readonly tokens: Step[] = [];
  readonly steps: Step[] = [];
  modes: PoolingMode[] | undefined;
  includePrompt = true;

  constructor(files: SentenceFiles) {
    this.#files = files;
  }

  async json(path: string): Promise<Config | undefined> {
    const bytes = await this.#files.bytes(path);
    return bytes && parseJson(bytes, path);
  }

  /** Adds the next module, of the class `kind` in its folder. */
  async add(kind: string, path: string): Promise<void> {
    const where = `${path}/config.json`;
    const config = await this.json(where);
    // Older versions saved no files for modules without sizes.
    if (kind === "Dropout") return;
    if (kind === "Normalize") {
      this.#listOf(where, config ?? {})?.push(normStep);
      return;
    }
    if (!config) return absent(where);
    if (kind === "Pooling") {
      if (this.modes) refuse(where, kind, "one Pooling module in a folder", "unsupported");
      this.modes = modesIn(where, config);
      this.includePrompt = config["include_prompt"] !== false;
      return;
    }
    const list = this.#listOf(where, config);
    if (!list) return;
    const file = `${path}/model.safetensors`;
    const bytes = await this.#files.bytes(file);
    if (!bytes) return absent(file, " (weights in pytorch_model.bin are not supported)");
    const layer = { where, config, tensors: smallTensors(bytes, file) };
    if (kind === "LayerNorm") {
      list.push(layerNormOf(layer));
      return;
    }
    const { said, step } = denseOf(layer);
    list.push(step);
    if (list === this.steps) this.dense.push(said);
  }

  /**
   * The list a module's step belongs to: before or after the pooling; undefined if it is unused.
   */
  #listOf(where: string, config: Config): Step[] | undefined {
    const input = config["module_input_name"] ?? "sentence_embedding";
    const output = config["module_output_name"] ?? input;
    const isTokens = input === "token_embeddings";
    if (output !== input || (!isTokens && (input !== "sentence_embedding" || !this.modes)))
      refuse(
        `${where}: module_input_name, module_output_name`,
        [input, output],
        "token_embeddings for both, or sentence_embedding after a Pooling module",
        "unsupported",
      );
    if (isTokens) return this.modes ? undefined : this.tokens;
    return this.steps;
  }
}

const kinds = ["Transformer", "Pooling", "Dense", "Normalize", "LayerNorm", "Dropout"];

/**
 * The short name of the library's own classes, which moved between packages; two parts for others.
 */
const kindOf = (type: string) =>
  type
    .split(".")
    .slice(type.startsWith("sentence_transformers.") ? -1 : -2)
    .join(".");

async function read(files: SentenceFiles, file: Config): Promise<Sentence> {
  const listed = await files.bytes(modulesName);
  const list = (listed && modulesOf(listed)) ?? [];
  if (!list.length) malformed(`${modulesName}: not a list of modules with type and path`);
  const modules = new Modules(files);
  for (const [i, { type, path }] of list.entries()) {
    const kind = kindOf(type);
    const isFirst = kind === "Transformer";
    if (isFirst !== (i === 0) || !kinds.includes(kind))
      refuse(
        `${modulesName}: [${i}].type`,
        kind,
        i ? `one of ${kinds.slice(1).join(", ")}` : "Transformer",
        "unsupported",
      );
    if (i) await modules.add(kind, path);
  }
  const { dense, tokens, steps, includePrompt } = modules;
  const modes =
    modules.modes ??
    refuse(
      modulesName,
      list.map(({ type }) => kindOf(type)),
      "a Pooling module among them",
      "unsupported",
    );
  const texts = await textsOf(modules, files.prefix, file);
  const said = {
    from: "modules.json",
    mode: modes.length === 1 ? modes[0]! : modes,
    dense,
    normalize: steps.at(-1)?.isNorm ?? false,
    includePrompt,
    ...texts,
  } as const;
  return { said, tokens, steps };
}

const positive = (value: unknown): number =>
  typeof value === "number" && value > 0 ? value : Infinity;

/** How texts become tokens: prompts, and the maximum length. */
async function textsOf(modules: Modules, prefix: string, file: Config) {
  const encoder = (await modules.json(`${prefix}sentence_bert_config.json`)) ?? {};
  const output = encoder["module_output_name"] ?? "token_embeddings";
  if (output !== "token_embeddings")
    refuse(
      "sentence_bert_config.json: module_output_name",
      output,
      "token_embeddings",
      "unsupported",
    );
  let maxTokens = positive(encoder["max_seq_length"]);
  if (maxTokens === Infinity) {
    const tokenizer = (await modules.json(`${prefix}tokenizer_config.json`)) ?? {};
    maxTokens = Math.min(
      positive(tokenizer["model_max_length"]),
      positive(file["max_position_embeddings"] ?? file["n_positions"]),
    );
  }
  const config = (await modules.json("config_sentence_transformers.json")) ?? {};
  const named = Object.entries((config["prompts"] ?? {}) as Config);
  const prompts = named.filter((one): one is [string, string] => typeof one[1] === "string");
  const name = config["default_prompt_name"];
  return {
    prompts: Object.freeze(Object.fromEntries(prompts)),
    ...(typeof name === "string" && { defaultPrompt: name }),
    // Numbers that stand for "no limit" are larger than any text.
    ...(maxTokens <= 2 ** 31 && { maxTokens: Math.floor(maxTokens) }),
    lowerCase: encoder["do_lower_case"] === true,
  };
}

/** Returns the error: it is thrown when a vector is requested, since the model has other uses. */
async function orReason<T>(found: Promise<T>): Promise<T | WhereformerError> {
  return found.catch((cause: unknown) => {
    if (!(cause instanceof WhereformerError) || cause.code === "aborted") throw cause;
    return cause;
  });
}

/** From a folder's modules.json; `file` is the transformer's config.json. Errors: aborted. */
export const readSentence = (
  files: SentenceFiles,
  file: Config,
): Promise<Sentence | WhereformerError> => orReason(read(files, file));

/** llama.cpp's `llama_pooling_type`: none (undefined), mean, first, last. */
const ggufModes: readonly (PoolingMode | undefined)[] = [undefined, "mean", "cls", "lasttoken"];

/** From a GGUF file's keys. */
export function ggufSentence(keys: GgufKeys): Promise<Sentence | WhereformerError> {
  const find = async (): Promise<Sentence> => {
    const key = `${keys.text("general.architecture")}.pooling_type`;
    const type = keys.number(key) ?? 0;
    if (!(type in ggufModes)) refuse(key, type, "0 to 3 (none, mean, cls, last)", "unsupported");
    const mode = ggufModes[type];
    return mode
      ? { ...plainSentence, said: { ...plainSentence.said, from: "GGUF", mode } }
      : plainSentence;
  };
  return orReason(find());
}
