/** Opens a model from files, from any source. Fetched with the first such source. */

import { ModelHandle, type Opened } from "../api/model.js";
import { withLayout } from "../api/model-layout.js";
import { parseJson } from "../config/json-file.js";
import { type ModelArguments, modelArguments } from "../config/model-config.js";
import type { SourceOptions } from "../config/model-source.js";
import { type OwnTokenizer, ownTokenizer } from "../config/tokenizer.js";
import { readFamily, withLeftOut } from "../families/families.js";
import type { ConfigRead } from "../families/family.js";
import { ggufPlan } from "../families/plan.js";
import type { Model as RawModel } from "../generated/module.js";
import type { SchemeDescription, Tokenizer, TokenizerFiles } from "../types/index.js";
import { checkObject, checkOptions, refuse } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import type { Core } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { bytesIn, ordinaryBytes } from "../wire/memory.js";
import { bytesOfBlob, isAddress, isBlob, isResponse } from "../wire/platform.js";
import { throwIfAborted } from "../wire/signal.js";
import { readWhole } from "./byte-file.js";
import { Checkpoint } from "./checkpoint.js";
import { fileOfResponse, filesOf } from "./dropped.js";
import {
  type Folder,
  folderAt,
  folderOfBytes,
  folderOfFiles,
  Progress,
  tokenizerConfig,
  weightsOf,
} from "./folder.js";
import { ggufConfig } from "./gguf-config.js";
import { GgufFile } from "./gguf-file.js";
import { GgufParts } from "./gguf-parts.js";
import { ggufTokenizer } from "./gguf-tokenizer.js";
import { Keeping, keptFiles, keptName } from "./kept.js";
import { checkWeights, type KnownFile } from "./known-file.js";
import { ggufSentence, readSentence } from "./sentence.js";
import { filesRead, type SentenceFiles } from "./sentence-folder.js";

/** The parts of a source: weights, and the small files with them. */
interface Given {
  weights: KnownFile[];
  /** Undefined if the weights contain the config. */
  file: Record<string, unknown> | undefined;
  /** A config of this package that is not in a file. */
  config?: unknown;
  tokenizer?: OwnTokenizer;
  files: () => Promise<TokenizerFiles | undefined>;
  /** How to compute vectors of texts, if a folder defines it. */
  sentence?: Opened["sentence"];
}

const none = async () => undefined;

const isGguf = ({ kind }: KnownFile) => kind.is === "gguf";

/** Whether weights contain their config (GGUF). Errors: malformed_file for a mixture of kinds. */
function areGguf(weights: readonly KnownFile[]): boolean {
  const gguf = weights.filter(isGguf);
  const [one] = gguf;
  if (!one) return false;
  if (gguf.length === weights.length) return true;
  checkWeights(weights);
  const other = weights.find((file) => !isGguf(file))!;
  throw new WhereformerError(
    "malformed_file",
    `${other.name} is a safetensors file and ${one.name} a GGUF file; pass files of one kind`,
  );
}

async function fromFolder(folder: Folder): Promise<Given> {
  const { weights } = folder;
  const isAll = areGguf(weights);
  const file = isAll ? undefined : await folder.json("config.json");
  if (!file && !isAll) needConfig(weights);
  const files = async () => {
    const tokenizer = await folder.json("tokenizer.json");
    return tokenizer && { tokenizer, config: (await tokenizerConfig(folder)) ?? {} };
  };
  const sentence = file && folder.sentence && (await readSentence(folder.sentence, file));
  return { weights, file, files, sentence };
}

/** The contents of a source's folder; undefined for parts that are given one by one. */
async function folderOf(
  from: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Folder | undefined> {
  const bytes = bytesIn("source", from);
  if (bytes) return folderOfBytes(bytes, progress);
  if (isAddress(from)) return folderAt(resolveUrl("source", from), progress, signal);
  const source = await filesOf(from);
  if (Array.isArray(source)) return folderOfFiles(source, progress);
  if (!isKept(source)) return undefined;
  checkOptions("source", source, ["kept"]);
  const name = keptName("kept", source.kept);
  const files = await keptFiles(name);
  return files ? folderOfFiles(files, progress) : refuse("kept", name, "a name of keptModels()");
}

const isKept = (source: unknown): source is { kept: unknown } =>
  typeof source === "object" && source !== null && "kept" in source;

async function given(
  from: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Given> {
  const folder = await folderOf(from, progress, signal);
  if (folder) return fromFolder(folder);
  checkObject("source", from);
  const parts = from;
  checkOptions("source", parts, ["config", "weights", "tokenizer"]);
  const tokenizer = ownTokenizer(parts["tokenizer"]);
  const said = parts["config"];
  const bytes = await bytesOfConfig(said, signal);
  const file = bytes && parseJson(bytes, "config");
  if (said !== undefined && !file) checkObject("config", said);
  const weights = [await weightsOf(parts["weights"], progress, signal)];
  if (areGguf(weights)) checkNoConfig(said);
  else if (said === undefined) needConfig(weights);
  const both = { weights, files: none, ...(tokenizer && { tokenizer }) };
  return file ? { ...both, file } : { ...both, file: undefined, config: said };
}

/** The bytes of a JSON file that was given as the config; undefined for a config object. */
async function bytesOfConfig(
  config: unknown,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if (isAddress(config)) return readWhole(resolveUrl("config", config), signal);
  const isFetched = isResponse(config);
  if (!isFetched && !isBlob(config)) return ordinaryBytes("config", config);
  return new Uint8Array(
    await bytesOfBlob(isFetched ? await fileOfResponse("config", config) : config),
  );
}

function checkNoConfig(config: unknown): void {
  if (config !== undefined)
    refuse("config", config, "undefined with a GGUF file, which has a config");
}

/** Throws: these weights need a config, and none was given. */
function needConfig(weights: readonly KnownFile[]): never {
  checkWeights(weights);
  throw new WhereformerError(
    "malformed_file",
    `${weights[0]!.name} is a safetensors file, and config.json is missing; pass both files, ` +
      "{ config, weights }, a folder, or a GGUF file",
  );
}

/** Returns a config unchanged, or as its family translates it. */
type ReadConfig = (
  schemes: readonly SchemeDescription[],
  config: Record<string, unknown>,
  isFile?: boolean,
) => Promise<ConfigRead>;

interface Read extends ConfigRead {
  file?: Record<string, unknown> | undefined;
  files: Opened["files"];
  sentence?: Opened["sentence"];
}

async function read(
  schemes: readonly SchemeDescription[],
  parts: Given,
  translated: ReadConfig,
  opened: readonly GgufFile[] = [],
): Promise<Read> {
  const { file, config, files, sentence } = parts;
  if (config !== undefined) {
    const own = config as Record<string, unknown>;
    return { ...(await translated(schemes, own)), file: isHuggingFace(own), files };
  }
  if (file) return { ...(await translated(schemes, file, true)), file, files, sentence };
  const gguf = new GgufParts(opened);
  const { config: made, isCausal, ...form } = await ggufConfig(gguf);
  const { config: own, reading } = readFamily(schemes, made);
  return {
    config: { ...(own as object), isCausal },
    planFor: (sizes) => ggufPlan(reading, sizes, form),
    file: made,
    files: async () => (await files()) ?? ggufTokenizer(gguf.keys),
    sentence: await ggufSentence(gguf.keys),
  };
}

const isHuggingFace = (config: Record<string, unknown>) =>
  "vocab_size" in config ? config : undefined;

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
const besideWeights = ["config.json", "tokenizer.json", "tokenizer_config.json"];

/** Keeps a source's files and opens the model from the kept copy, or opens an existing copy. */
async function openKept(
  name: string,
  source: unknown,
  options: SourceOptions,
  open: (files: readonly File[], progress: Progress) => Promise<ModelHandle>,
): Promise<ModelHandle> {
  const { signal, onProgress } = options.download;
  keptName("keep", name);
  const from = isAddress(source) ? resolveUrl("source", source).href : undefined;
  const known = from && (await keptFiles(name, from));
  if (known) return open(known, new Progress(onProgress));
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
    const own = sentence?.own ?? "";
    try {
      // Each byte counts twice: when it is written and when it is read.
      progress.total = 2 * weights.reduce((sum, { size }) => sum + size, 0);
      const config = (await folder.json("config.json")) ?? {};
      const read = (files: SentenceFiles) => readSentence(files, config);
      const named = sentence ? await filesRead(sentence, read) : new Map<string, Uint8Array>();
      for (const [path, bytes] of named) await keeping.addBytes(path, bytes);
      for (const json of besideWeights) {
        const isTokenizers = json === "tokenizer_config.json";
        const value = await (isTokenizers ? tokenizerConfig(folder) : folder.json(json));
        if (value) await keeping.addJson(own + json, value);
      }
      for (const file of weights) await keeping.add(file, own, signal);
    } finally {
      for (const file of weights) file.pause();
    }
    const model = await open(await keeping.files(), progress);
    await keeping.finish().catch((cause: unknown) => {
      model.dispose();
      throw cause;
    });
    return model;
  });
}

interface Opening {
  core: Core;
  schemes: readonly SchemeDescription[];
  tokenizer: Tokenizer | undefined;
  options: SourceOptions;
  checkpoint: Checkpoint;
}

/** Makes a model of these sizes and loads its tensors; `embeddingOwner` shares its embedding. */
async function filled(
  { core, schemes, tokenizer, options, checkpoint }: Opening,
  { planFor }: ConfigRead,
  sizes: ModelArguments,
  opened?: Opened,
  embeddingOwner: RawModel | null = null,
): Promise<ModelHandle> {
  const made = (() => {
    try {
      return withLayout(core, sizes, (layout) =>
        core.run(0, (raw) => core.made(raw.Model.blank(layout, options.dtype, embeddingOwner))),
      );
    } catch (cause) {
      return tooLarge(cause);
    }
  })();
  const model = new ModelHandle(core, made, schemes, sizes, tokenizer, opened);
  try {
    const { allowNotFinite, download } = options;
    await checkpoint.fill(made, planFor?.(sizes) ?? "", allowNotFinite, download.signal);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

export async function openModel(
  core: Core,
  schemes: readonly SchemeDescription[],
  source: unknown,
  options: SourceOptions,
  translated: ReadConfig,
): Promise<ModelHandle> {
  const { signal, onProgress } = options.download;
  throwIfAborted(signal);
  const open = (from: unknown, progress: Progress) =>
    openFrom(core, schemes, from, options, translated, progress);
  return options.keep === undefined
    ? open(source, new Progress(onProgress))
    : openKept(options.keep, source, options, open);
}

async function openFrom(
  core: Core,
  schemes: readonly SchemeDescription[],
  source: unknown,
  options: SourceOptions,
  translated: ReadConfig,
  progress: Progress,
): Promise<ModelHandle> {
  const { signal } = options.download;
  const parts = await given(source, progress, signal);
  const own = options.tokenizer ?? parts.tokenizer;
  let checkpoint: Checkpoint | undefined;
  let reader: ModelHandle | undefined;
  let leftOut: string | undefined;
  try {
    progress.total ||= parts.weights.reduce((sum, { size }) => sum + size, 0);
    // Refuse an invalid config before weights are read.
    const said = parts.file ?? parts.config;
    const early = said === undefined ? undefined : await read(schemes, parts, translated);
    leftOut = early?.leftOut;
    const earlySizes = early && modelArguments(schemes, early.config);
    checkWeights(parts.weights);
    const gguf: GgufFile[] = [];
    if (!early) for (const file of parts.weights) gguf.push(await GgufFile.open(file));
    throwIfAborted(signal);
    const found = early ?? (await read(schemes, parts, translated, gguf));
    const sizes = earlySizes ?? modelArguments(schemes, found.config);
    const opened = new Checkpoint(core, early ? parts.weights : gguf);
    checkpoint = opened;
    await opened.readHeads(signal);
    const tokenizer = await own?.of(found.files);
    throwIfAborted(signal);
    const opening = { core, schemes, tokenizer, options, checkpoint: opened };
    const { encoder, file, files, sentence } = found;
    if (!encoder) return await filled(opening, found, sizes, { file, files, sentence });
    const ownSizes = modelArguments(schemes, encoder.config);
    reader = await filled(opening, encoder, ownSizes);
    const { start } = encoder;
    const parted = { file, files, sentence, encoder: { model: reader, start } };
    return await filled(opening, found, sizes, parted, found.sharesEmbedding ? reader.raw : null);
  } catch (error) {
    reader?.dispose();
    throw withLeftOut(error, leftOut);
  } finally {
    if (checkpoint) checkpoint.dispose();
    else for (const file of parts.weights) file.pause();
  }
}
