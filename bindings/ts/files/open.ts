/** Opens a model from files, wherever they lie. Fetched with the first source that has any. */

import { withLayout } from "../api/model-layout.js";
import { ModelHandle } from "../api/model.js";
import { parseJson } from "../config/json-file.js";
import { modelArguments } from "../config/model-config.js";
import type { SourceOptions } from "../config/model-source.js";
import { type OwnTokenizer, ownTokenizer } from "../config/tokenizer.js";
import { readFamily } from "../families/families.js";
import type { ConfigRead } from "../families/family.js";
import { ggufPlan } from "../families/plan.js";
import type { SchemeDescription, TokenizerFiles } from "../types/index.js";
import { checkObject, checkOptions, refuse } from "../wire/arguments.js";
import { resolveUrl } from "../wire/binary.js";
import type { Core } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { throwIfAborted } from "../wire/signal.js";
import { type ByteFile, readWhole } from "./byte-file.js";
import { Checkpoint } from "./checkpoint.js";
import { type Folder, folderAt, folderOfFiles, Progress, weightsOf } from "./folder.js";
import { ggufConfig } from "./gguf-config.js";
import { GgufKeys } from "./gguf-keys.js";
import { ggufTokenizer } from "./gguf-tokenizer.js";

/** What was given: weights, and what is said beside them. */
interface Given {
  weights: ByteFile[];
  /** Undefined where the weights say it themselves. */
  file: Record<string, unknown> | undefined;
  /** A config of this package's, which is in no file. */
  config?: unknown;
  tokenizer?: OwnTokenizer;
  files: () => Promise<TokenizerFiles | undefined>;
}

const none = async () => undefined;

async function fromFolder(folder: Folder, isRequired: boolean): Promise<Given> {
  const file = await folder.json("config.json");
  if (!file && isRequired && !folder.weights.some(({ name }) => /\.gguf$/.test(name)))
    throw new WhereformerError("malformed_file", "config.json is not among the files");
  const files = async () => {
    const tokenizer = await folder.json("tokenizer.json");
    return tokenizer && { tokenizer, config: (await folder.json("tokenizer_config.json")) ?? {} };
  };
  return { weights: folder.weights, file, files };
}

async function given(
  source: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Given> {
  if (typeof source === "string" || source instanceof URL) {
    const place = resolveUrl("source", source);
    const isGguf = /\.gguf$/.test(place.pathname);
    // First, so that what is no model's folder is said by this name.
    const base = new URL(place);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    const at = new URL("config.json", base);
    const file = isGguf ? undefined : parseJson(await readWhole(at, signal), at.href);
    return { ...(await fromFolder(await folderAt(place, progress, signal), false)), file };
  }
  if (Array.isArray(source)) return fromFolder(await folderOfFiles(source, progress), true);
  const parts = source as Record<string, unknown>;
  checkOptions("source", parts, ["config", "weights", "tokenizer"]);
  const tokenizer = ownTokenizer(parts["tokenizer"]);
  const said = parts["config"];
  const isFile = typeof said === "string" || said instanceof URL || said instanceof Blob;
  let file: Record<string, unknown> | undefined;
  if (isFile) {
    const bytes =
      said instanceof Blob
        ? new Uint8Array(await said.arrayBuffer())
        : await readWhole(resolveUrl("config", said), signal);
    file = parseJson(bytes, "config");
  } else if (said !== undefined) checkObject("config", said);
  const weights = [await weightsOf(parts["weights"], progress, signal)];
  const both = { weights, files: none, ...(tokenizer && { tokenizer }) };
  return isFile ? { ...both, file } : { ...both, file: undefined, config: said };
}

/** A config as it is given, or as its family says it. */
type ReadConfig = (
  schemes: readonly SchemeDescription[],
  config: Record<string, unknown>,
  isFile?: boolean,
) => Promise<ConfigRead>;

interface Read extends ConfigRead {
  file?: Record<string, unknown> | undefined;
  files: () => Promise<TokenizerFiles | undefined>;
}

async function read(
  schemes: readonly SchemeDescription[],
  parts: Given,
  checkpoint: Checkpoint,
  translated: ReadConfig,
): Promise<Read> {
  const { file, config, files } = parts;
  if (config !== undefined) {
    const own = config as Record<string, unknown>;
    return { ...(await translated(schemes, own)), file: isHuggingFace(own), files };
  }
  if (file) return { ...(await translated(schemes, file, true)), file, files };
  const keys = new GgufKeys(checkpoint.head, checkpoint.entries());
  if (!keys.has("general.architecture"))
    refuse("config", undefined, "an object or a file, which all weights but GGUF's need");
  const { config: made, isPaired } = await ggufConfig(keys, checkpoint);
  const reading = readFamily(schemes, made);
  return {
    config: reading.config,
    planFor: (sizes) => ggufPlan(reading.reading, sizes, isPaired),
    file: made,
    files: async () => (await files()) ?? ggufTokenizer(keys),
  };
}

const isHuggingFace = (config: Record<string, unknown>) =>
  "vocab_size" in config ? config : undefined;

/** What memory would take, in words. */
function tooLarge(cause: unknown): never {
  if (!(cause instanceof WhereformerError) || cause.code !== "out_of_memory") throw cause;
  throw new WhereformerError(
    "out_of_memory",
    `${cause.message}; the engine has 2 GB, of which each number of a model takes 4 bytes as f32; ` +
      "allowed is a smaller model, or a smaller dtype",
    cause.details,
    cause,
  );
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
  const progress = new Progress(onProgress);
  const parts = await given(source, progress, signal);
  const own = options.tokenizer ?? parts.tokenizer;
  let checkpoint: Checkpoint | undefined;
  let model: ModelHandle | undefined;
  try {
    progress.total = parts.weights.reduce((sum, { size }) => sum + size, 0);
    const opened = new Checkpoint(core, parts.weights);
    checkpoint = opened;
    // A config that says nothing sensible is refused before weights are looked at.
    const early =
      parts.file || parts.config !== undefined ? await read(schemes, parts, opened, translated) : undefined;
    const earlySizes = early && modelArguments(schemes, early.config);
    await opened.readHeads(signal);
    const found = early ?? (await read(schemes, parts, opened, translated));
    const sizes = earlySizes ?? modelArguments(schemes, found.config);
    const tokenizer = await own?.of(found.files);
    throwIfAborted(signal);
    const filled = (() => {
      try {
        return withLayout(core, sizes, (layout) =>
          core.run(0, (raw) => core.made(raw.Model.unfilled(layout))),
        );
      } catch (cause) {
        return tooLarge(cause);
      }
    })();
    model = new ModelHandle(core, filled, schemes, sizes, tokenizer, found);
    await opened.fill(filled, found.planFor?.(sizes) ?? "", options.allowNotFinite, signal);
    return model;
  } catch (error) {
    model?.dispose();
    throw error;
  } finally {
    if (checkpoint) checkpoint.dispose();
    else for (const file of parts.weights) file.pause();
  }
}
