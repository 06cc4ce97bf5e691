/** A checkpoint as published: Hugging Face's folder, at an address or as files, or GGUF. */

import { parseJson } from "../config/json-file.js";
import { isOfPictures } from "../families/picture-types.js";
import { refuse, show } from "../wire/arguments.js";
import { isMissing, resolveUrl, unlessMissing } from "../wire/binary.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import { bytesIn } from "../wire/memory.js";
import { isAddress, isBlob, isResponse } from "../wire/platform.js";
import {
  type ByteFile,
  fileOfBlob,
  fileOfBytes,
  fileOfUrl,
  type Reached,
  readWhole,
} from "./byte-file.js";
import { fileOfResponse } from "./dropped.js";
import { checkWeights, KnownFile } from "./known-file.js";
import { filesWithin, inAddress, type SentenceFiles, sentenceFiles } from "./sentence-folder.js";

/** Sums the progress of several files. */
export class Progress {
  readonly #reached: number[] = [];
  #total = 0;
  readonly #onProgress: ((loaded: number, total: number) => void) | undefined;

  constructor(onProgress: ((loaded: number, total: number) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** Adds a file. Bytes that are read again count once. */
  file(): Reached {
    const index = this.#reached.push(0) - 1;
    return (end) => {
      if (end <= this.#reached[index]!) return;
      this.#reached[index] = end;
      this.#say();
    };
  }

  get total(): number {
    return this.#total;
  }

  /** Set when all files are open. */
  set total(bytes: number) {
    this.#total = bytes;
    this.#say();
  }

  #say(): void {
    if (this.#total)
      this.#onProgress?.(
        this.#reached.reduce((a, b) => a + b),
        this.#total,
      );
  }
}

/** The contents of a folder. */
export interface Folder {
  /** safetensors or GGUF, in the order of their names. */
  weights: KnownFile[];
  /** Parses a small JSON file of the folder; undefined if it does not exist. */
  json(name: string): Promise<Record<string, unknown> | undefined>;
  /** As `json`, but returns the text. */
  text(name: string): Promise<string | undefined>;
  /** The files that modules.json names, if it exists. */
  sentence?: SentenceFiles;
}

/** tokenizer_config.json, with the chat template of its own file if there is one. */
export async function tokenizerConfig(
  folder: Folder,
): Promise<Record<string, unknown> | undefined> {
  const config = await folder.json("tokenizer_config.json");
  const template = await folder.text("chat_template.jinja");
  return template === undefined ? config : { ...config, chat_template: template };
}

const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const index = "model.safetensors.index.json";

/** The names of the shards, from the index file. */
function shardsOf(list: Record<string, unknown>): string[] {
  const map = list["weight_map"];
  const names = typeof map === "object" && map !== null ? Object.values(map) : [];
  const shards = [...new Set(names)].sort();
  const isName = (name: unknown) => typeof name === "string" && /^[\w.-]+$/.test(name);
  if (shards.length && shards.every(isName)) return shards as string[];
  throw new WhereformerError("malformed_file", `${index}: no weight_map with file names`);
}

/** A folder at an address. */
interface FolderAddress {
  /** Undefined if the file does not exist. */
  bytes(name: string): Promise<Uint8Array | undefined>;
  open(name: string): Promise<KnownFile>;
}

/** The safetensors of a folder: the single file, or its shards. */
async function safetensorsAt({ bytes, open }: FolderAddress): Promise<KnownFile[]> {
  try {
    return [await open("model.safetensors")];
  } catch (reason) {
    const found = isMissing(reason) ? await bytes(index) : undefined;
    if (!found) {
      // If the folder has only this file, the error names its format.
      const other = isMissing(reason) ? await unlessMissing(open("pytorch_model.bin")) : undefined;
      other?.pause();
      checkWeights(other ? [other] : []);
      throw reason;
    }
    const files: KnownFile[] = [];
    for (const name of shardsOf(parseJson(found, index))) {
      const file = await open(name);
      // A server may limit the number of open connections.
      if (files.length) file.pause();
      files.push(file);
    }
    return files;
  }
}

const adapterName = "adapter_config.json";

const adapter = (where: string) =>
  new WhereformerError(
    "unsupported",
    `${where}: a PEFT adapter, which changes another model's weights; pass the whole model, ` +
      "as PEFT's merge_and_unload() makes it",
  );

/** Opens the file at an address that is not a folder's. Errors: `reason` if there is none. */
async function fileAt(address: URL, reason: unknown, open: (at: URL) => Promise<ByteFile>) {
  const { code } = reason as Partial<WhereformerError>;
  if (code !== "network" || /\/$/.test(address.pathname)) throw reason;
  const file = await open(address).catch(() => {
    throw reason;
  });
  return KnownFile.of(file);
}

export async function folderAt(
  address: URL,
  progress: Progress,
  signal: AbortSignal | undefined,
  sentence?: SentenceFiles,
): Promise<Folder> {
  // An object made by the page is not in a folder.
  const isAlone = /^(?:blob|data):$/.test(address.protocol);
  const base = new URL(address);
  const isFile = isAlone || /\.gguf$/i.test(address.pathname);
  if (!isFile && !base.pathname.endsWith("/")) base.pathname += "/";
  const bytesOf = async (name: string) =>
    isAlone ? undefined : unlessMissing(readWhole(new URL(name, base), signal));
  const json = async (name: string) => {
    const bytes = await bytesOf(name);
    return bytes && parseJson(bytes, new URL(name, base).href);
  };
  const text = async (name: string) => {
    const bytes = await bytesOf(name);
    return bytes && asText(bytes);
  };
  const openAt = (at: URL) => fileOfUrl(at, signal, progress.file());
  if (isFile) return { weights: [await KnownFile.of(await openAt(address))], json, text };
  // First, so that errors of an address that is not a model's folder name this file.
  const at = new URL("config.json", base);
  let reason: unknown;
  const found = await readWhole(at, signal).catch((cause: unknown) => {
    reason = cause;
    return undefined;
  });
  const config = found && parseJson(found, at.href);
  // This package's own models have no modules, nor have models of pictures.
  const isBare = config && (config["model_type"] === "whereformer" || isOfPictures(config));
  const isOther = !sentence && !isBare;
  const mayBe = isOther && (!reason || isMissing(reason));
  const files = mayBe ? await sentenceFiles((path) => bytesOf(inAddress(path))) : sentence;
  if (isOther && files?.prefix)
    return folderAt(new URL(inAddress(files.prefix), base), progress, signal, files);
  if (!config) {
    if (isMissing(reason) && (await bytesOf(adapterName))) throw adapter(base.href);
    return { weights: [await fileAt(address, reason, openAt)], json: none, text: none };
  }
  const open = async (name: string) => KnownFile.of(await openAt(new URL(name, base)));
  return {
    weights: await safetensorsAt({ bytes: bytesOf, open }),
    json: async (name) => (name === "config.json" ? config : json(name)),
    text,
    ...(files && { sentence: files }),
  };
}

const none = async () => undefined;

/** Finds weights by content, not by name. Errors: invalid_argument if no file has any. */
async function weightsAmong(files: ReadonlyMap<string, File>): Promise<string[]> {
  const all = [...files.keys()];
  // A single file is identified later, with a better message.
  if (all.length === 1) return all;
  const found: string[] = [];
  let wrong = "";
  for (const [name, file] of files) {
    const { kind } = await KnownFile.of(fileOfBlob(name, file, () => {}));
    if (kind.is !== "other") found.push(name);
    // Small files may come with weights of any kind.
    else if (!wrong || !/\.(?:json|jinja|txt|md|model)$/.test(name))
      wrong = `, where ${name} is ${kind.said}`;
  }
  if (found.length) return found.sort();
  const allowed =
    "files of which one ends in .gguf, or config.json and model.safetensors or its shards";
  throw new WhereformerError(
    "invalid_argument",
    unexpected("source", `${show(all)}${wrong}`, allowed),
    { argument: "source", value: all, allowed },
  );
}

export async function folderOfFiles(files: readonly File[], progress: Progress): Promise<Folder> {
  const all = new Map(files.map((file) => [file.name, file]));
  const sentence = await sentenceFiles(async (path) => {
    const file = all.get(path);
    return file && new Uint8Array(await file.arrayBuffer());
  });
  const named = filesWithin(all, sentence?.prefix ?? "");
  const json = async (name: string) => {
    const file = named.get(name);
    return file && parseJson(new Uint8Array(await file.arrayBuffer()), name);
  };
  if (named.has(adapterName) && !named.has("config.json")) throw adapter(adapterName);
  const ending = (end: string) => [...named.keys()].filter((name) => name.endsWith(end)).sort();
  // As at an address, a single file is preferred to shards.
  const isWhole = named.has("model.safetensors");
  const list = isWhole ? undefined : await json(index);
  const safetensors = isWhole
    ? ["model.safetensors"]
    : list
      ? shardsOf(list)
      : ending(".safetensors");
  const chosen = safetensors.length ? safetensors : ending(".gguf");
  const weights: KnownFile[] = [];
  for (const name of chosen.length ? chosen : await weightsAmong(named)) {
    const file = named.get(name);
    if (!file)
      throw new WhereformerError(
        "malformed_file",
        `${name}: ${index} names this file, and it is missing`,
      );
    weights.push(await KnownFile.of(fileOfBlob(name, file, progress.file())));
  }
  const text = async (name: string) => named.get(name)?.text();
  return { weights, json, text, ...(sentence && { sentence }) };
}

/** Weights that were given without a folder. */
export async function weightsOf(
  value: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<KnownFile> {
  return KnownFile.of(await givenFile("weights", value, progress, signal));
}

async function givenFile(
  argument: string,
  value: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<ByteFile> {
  const bytes = bytesIn(argument, value);
  if (bytes) return fileOfBytes(argument, bytes, progress.file());
  if (isBlob(value)) return fileOfBlob(argument, value, progress.file());
  if (isResponse(value))
    return fileOfBlob(argument, await fileOfResponse(argument, value), progress.file());
  if (isAddress(value)) return fileOfUrl(resolveUrl(argument, value), signal, progress.file());
  return refuse(argument, value, "a URL, bytes, or a Blob");
}

/** A GGUF file from bytes. */
export async function folderOfBytes(bytes: Uint8Array, progress: Progress): Promise<Folder> {
  const file = fileOfBytes("source", bytes, progress.file());
  return { weights: [await KnownFile.of(file)], json: none, text: none };
}
