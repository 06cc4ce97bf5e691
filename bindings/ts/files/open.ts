/** Opens a model from files: its source, then its config and plan, then its tensors. */

import { type KeptFiles, ModelHandle } from "../api/model.js";
import { withLayout } from "../api/model-layout.js";
import { enumerator } from "../config/fields.js";
import { type ModelArguments, modelArguments } from "../config/model-config.js";
import type { SourceOptions } from "../config/model-source.js";
import type { GivenTokenizer } from "../config/tokenizer.js";
import { hasFamily, readPlainConfig } from "../families/config-json.js";
import { isPacked } from "../families/config-reader.js";
import type { ConfigAndPlan, ReadConfig } from "../families/family.js";
import { isOfPictures } from "../families/picture-types.js";
import { readFamily, withLeftOut } from "../families/read-family.js";
import { weightTypes } from "../generated/fields.js";
import type { Model as RawModel } from "../generated/module.js";
import type { SchemeDescription, WeightType } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import type { Core } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { isAddress } from "../wire/platform.js";
import { throwIfAborted } from "../wire/signal.js";
import type { ByteFile } from "./byte-file.js";
import { Checkpoint } from "./checkpoint.js";
import { ggufEndTokens } from "./end-tokens.js";
import { Progress, tokenizerConfig } from "./folder.js";
import { ggufConfig } from "./gguf-config.js";
import { GgufFile } from "./gguf-file.js";
import { GgufParts } from "./gguf-parts.js";
import { forGguf } from "./gguf-tensors.js";
import { ggufTokenizer } from "./gguf-tokenizer.js";
import { Keeping, keptFiles, keptName } from "./kept.js";
import { checkWeights } from "./known-file.js";
import { withoutMxfp4 } from "./mxfp4.js";
import { openPictureModel } from "./picture-model.js";
import { ggufSentence, readSentence } from "./sentence.js";
import { filesRead, type SentenceFiles } from "./sentence-folder.js";
import { withConstants } from "./shown-file.js";
import { folderOf, type OpenModel, type Source, sourceOf } from "./source.js";

/** The files as the engine reads them: packed numbers as floats, and with the missing vectors. */
async function shownWeights(
  weights: readonly ByteFile[],
  { constants }: ReadConfig,
  config: Record<string, unknown> | undefined,
): Promise<readonly ByteFile[]> {
  const all = config && isPacked(config, "mxfp4") ? await withoutMxfp4(weights) : weights;
  const [first, ...rest] = all;
  return first && constants ? [await withConstants(first, constants), ...rest] : all;
}

/** Reads the config of a source. Refuses an invalid one before it reads the weights. */
async function openModel(
  schemes: readonly SchemeDescription[],
  source: Source,
  signal: AbortSignal | undefined,
): Promise<OpenModel> {
  const { weights, config, files } = source;
  const { configFile: given } = files;
  if (given && isOfPictures(given)) {
    checkWeights(weights);
    return openPictureModel(schemes, given, source);
  }
  const read = given
    ? (hasFamily(given) ? readFamily : readPlainConfig)(schemes, given)
    : config && { config: modelArguments(schemes, config), plan: () => "" };
  checkWeights(weights);
  if (read) return { ...read, weights: await shownWeights(weights, read, given), files };
  const gguf: GgufFile[] = [];
  for (const file of weights) gguf.push(await GgufFile.open(file));
  throwIfAborted(signal);
  const parts = new GgufParts(gguf);
  const { configFile, form } = await ggufConfig(parts);
  const { tokenizerFiles } = files;
  return {
    ...readFamily(schemes, configFile, (family) => forGguf(family, form)),
    // The keys are not those of a config.json.
    leftOut: "",
    weights: gguf,
    files: {
      configFile,
      tokenizerFiles: async () => (await tokenizerFiles()) ?? ggufTokenizer(parts.keys),
      sentence: await ggufSentence(parts.keys),
      endTokens: ggufEndTokens(parts.keys),
    },
  };
}

/** Extends an out-of-memory error by the limit and the remedies; rethrows others. */
function tooLarge(cause: unknown): never {
  if (!(cause instanceof WhereformerError) || cause.code !== "out_of_memory") throw cause;
  throw new WhereformerError(
    "out_of_memory",
    `${cause.message}; the engine has 2 GB, and each number of a model takes 4 bytes as f32; ` +
      "use a smaller model, or a smaller dtype",
    cause.details,
    cause,
  );
}

/** Small files that a model is opened with, beside its weights. */
const besideWeights = [
  "config.json",
  "generation_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];
/** Further small files of a model of pictures; folders of other models are not asked for them. */
const besidePictures = ["preprocessor_config.json", "processor_config.json"];

/** Keeps a source's files and loads the model from the kept copy, or loads an existing copy. */
async function loadKept(
  name: string,
  source: unknown,
  options: SourceOptions,
  load: (files: readonly File[], progress: Progress) => Promise<ModelHandle>,
): Promise<ModelHandle> {
  const { signal, onProgress } = options.download;
  keptName("keep", name);
  const from = isAddress(source) ? resolveUrl("source", source).href : undefined;
  const known = from && (await keptFiles(name, from));
  if (known) return load(known, new Progress(onProgress));
  return Keeping.during({ name, ...(from && { from }) }, signal, async (keeping) => {
    const progress = new Progress(onProgress);
    const folder = await folderOf(source, progress, signal);
    if (!folder)
      return refuse(
        "keep",
        name,
        "undefined unless the source is a folder, its files, or a GGUF file",
      );
    const { weights, sentence } = folder;
    const prefix = sentence?.prefix ?? "";
    try {
      // Each byte counts twice: when it is written and when it is read.
      progress.total = 2 * weights.reduce((sum, { size }) => sum + size, 0);
      const config = (await folder.json("config.json")) ?? {};
      const read = (files: SentenceFiles) => readSentence(files, config);
      const named = sentence ? await filesRead(sentence, read) : new Map<string, Uint8Array>();
      for (const [path, bytes] of named) await keeping.addBytes(path, bytes);
      for (const json of [...besideWeights, ...(isOfPictures(config) ? besidePictures : [])]) {
        const isTokenizers = json === "tokenizer_config.json";
        const value = await (isTokenizers ? tokenizerConfig(folder) : folder.json(json));
        if (value) await keeping.addJson(prefix + json, value);
      }
      for (const file of weights) await keeping.add(file, prefix, signal);
    } finally {
      for (const file of weights) file.pause();
    }
    const model = await load(await keeping.files(), progress);
    await keeping.finish().catch((cause: unknown) => {
      model.dispose();
      throw cause;
    });
    return model;
  });
}

/** Makes a model without weights; `embeddingOwner` shares its embedding. */
function blank(
  core: Core,
  config: ModelArguments,
  dtype: WeightType,
  embeddingOwner: RawModel | null,
): RawModel {
  try {
    return withLayout(core, config, (layout) =>
      core.run(0, (raw) =>
        core.made(raw.Model.blank(layout, enumerator(weightTypes, dtype), embeddingOwner)),
      ),
    );
  } catch (cause) {
    return tooLarge(cause);
  }
}

/** Reads the weights of a model, and of its encoder. */
async function fill(
  core: Core,
  schemes: readonly SchemeDescription[],
  open: OpenModel,
  given: GivenTokenizer | undefined,
  { dtype, allowNotFinite, download: { signal } }: SourceOptions,
): Promise<ModelHandle> {
  const checkpoint = new Checkpoint(core, open.weights);
  const { encoder, files, sharesEmbedding } = open;
  let reader: ModelHandle | undefined;
  try {
    await checkpoint.readHeaders(signal);
    const tokenizer = await given?.of(files.tokenizerFiles);
    throwIfAborted(signal);
    const filled = async (
      { config, plan }: ConfigAndPlan,
      kept?: KeptFiles,
      embeddingOwner: RawModel | null = null,
    ) => {
      const made = blank(core, config, dtype, embeddingOwner);
      const model = new ModelHandle(core, made, schemes, config, tokenizer, kept);
      try {
        await checkpoint.fill(made, plan(), allowNotFinite, signal);
        return model;
      } catch (error) {
        model.dispose();
        throw error;
      }
    };
    if (!encoder) return await filled(open, files);
    reader = await filled(encoder);
    const both = { ...files, encoder: { model: reader, start: encoder.start } };
    return await filled(open, both, sharesEmbedding ? reader.raw : null);
  } catch (error) {
    reader?.dispose();
    throw withLeftOut(error, open.leftOut);
  } finally {
    checkpoint.dispose();
  }
}

/** Opens a model and reads its weights. */
export async function loadModel(
  core: Core,
  schemes: readonly SchemeDescription[],
  from: unknown,
  options: SourceOptions,
): Promise<ModelHandle> {
  const { signal, onProgress } = options.download;
  throwIfAborted(signal);
  const load = async (from: unknown, progress: Progress) => {
    const source = await sourceOf(from, progress, signal);
    try {
      progress.total ||= source.weights.reduce((sum, { size }) => sum + size, 0);
      const open = await openModel(schemes, source, signal);
      return await fill(core, schemes, open, options.tokenizer ?? source.tokenizer, options);
    } finally {
      for (const file of source.weights) file.pause();
    }
  };
  return options.keep === undefined
    ? load(from, new Progress(onProgress))
    : loadKept(options.keep, from, options, load);
}
