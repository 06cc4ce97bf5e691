/** A checkpoint as people have it: Hugging Face's folder, at an address or as files, or GGUF. */

import { parseJson } from "../config/json-file.js";
import { refuse } from "../wire/arguments.js";
import { bytesOf, tagOf } from "../wire/arrays.js";
import { isMissing, resolveUrl, unlessMissing } from "../wire/binary.js";
import { WhereformerError } from "../wire/error.js";
import {
  type ByteFile,
  fileOfBlob,
  fileOfBytes,
  fileOfUrl,
  type Reached,
  readWhole,
} from "./byte-file.js";
import { inAddress, ownFiles, type SentenceFiles, sentenceFiles } from "./sentence-folder.js";

/** Adds up what has come of several files. */
export class Progress {
  readonly #reached: number[] = [];
  #total = 0;
  readonly #onProgress: ((loaded: number, total: number) => void) | undefined;

  constructor(onProgress: ((loaded: number, total: number) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** For one more file. Of one that is read again, what was there before counts once. */
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

  /** Once all files are open. */
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

/** What was found in a folder. */
export interface Folder {
  /** safetensors or GGUF, in the order of their names. */
  weights: ByteFile[];
  /** A small file beside them, as an object; undefined where it is not there. */
  json(name: string): Promise<Record<string, unknown> | undefined>;
  /** As `json`, as text. */
  text(name: string): Promise<string | undefined>;
  /** Where there is a modules.json: all that it names. */
  sentence?: SentenceFiles;
}

/** tokenizer_config.json, with the template of chats, which newer folders have in its own file. */
export async function tokenizerConfig(
  folder: Folder,
): Promise<Record<string, unknown> | undefined> {
  const config = await folder.json("tokenizer_config.json");
  if (config && "chat_template" in config) return config;
  const template = await folder.text("chat_template.jinja");
  return template === undefined ? config : { ...config, chat_template: template };
}

const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const index = "model.safetensors.index.json";

/** The names of the shards, by the file that lists them. */
function shardsOf(list: Record<string, unknown>): string[] {
  const map = list["weight_map"];
  const names = typeof map === "object" && map !== null ? Object.values(map) : [];
  const shards = [...new Set(names)].sort();
  const isName = (name: unknown) => typeof name === "string" && /^[\w.-]+$/.test(name);
  if (shards.length && shards.every(isName)) return shards as string[];
  throw new WhereformerError("malformed_file", `${index}: no weight_map of names of files`);
}

export async function folderAt(
  place: URL,
  progress: Progress,
  signal: AbortSignal | undefined,
  sentence?: SentenceFiles,
): Promise<Folder> {
  const isFile = /\.gguf$/.test(place.pathname);
  const base = new URL(place);
  if (!isFile && !base.pathname.endsWith("/")) base.pathname += "/";
  const bytesOf = (name: string) => unlessMissing(readWhole(new URL(name, base), signal));
  const json = async (name: string) => {
    const bytes = await bytesOf(name);
    return bytes && parseJson(bytes, new URL(name, base).href);
  };
  const text = async (name: string) => {
    const bytes = await bytesOf(name);
    return bytes && asText(bytes);
  };
  const open = (name: string) => fileOfUrl(new URL(name, base), signal, progress.file());
  if (isFile) return { weights: [await fileOfUrl(place, signal, progress.file())], json, text };
  // First, so that what is no model's folder is said by this name.
  const at = new URL("config.json", base);
  const said = readWhole(at, signal);
  const found = await unlessMissing(said);
  const config = found && parseJson(found, at.href);
  // This package's own models have no modules.
  const isOther = !sentence && config?.["model_type"] !== "whereformer";
  const files = isOther ? await sentenceFiles((path) => bytesOf(inAddress(path))) : sentence;
  if (isOther && files?.own)
    return folderAt(new URL(inAddress(files.own), base), progress, signal, files);
  if (!config) throw await said;
  const whole = await open("model.safetensors").catch(async (reason: unknown) => {
    const list = isMissing(reason) ? await json(index) : undefined;
    if (!list) throw reason;
    const files: ByteFile[] = [];
    for (const name of shardsOf(list)) {
      const file = await open(name);
      // A server may not let many wait at once.
      if (files.length) file.pause();
      files.push(file);
    }
    return files;
  });
  return {
    weights: [whole].flat(),
    json: async (name) => (name === "config.json" ? config : json(name)),
    text,
    ...(files && { sentence: files }),
  };
}

export async function folderOfFiles(files: readonly File[], progress: Progress): Promise<Folder> {
  const all = new Map(files.map((file) => [file.name, file]));
  const sentence = await sentenceFiles(async (path) => {
    const file = all.get(path);
    return file && new Uint8Array(await file.arrayBuffer());
  });
  const named = ownFiles(all, sentence?.own ?? "");
  const json = async (name: string) => {
    const file = named.get(name);
    return file && parseJson(new Uint8Array(await file.arrayBuffer()), name);
  };
  const ending = (end: string) => [...named.keys()].filter((name) => name.endsWith(end)).sort();
  const list = await json(index);
  const safetensors = list
    ? shardsOf(list)
    : named.has("model.safetensors")
      ? ["model.safetensors"]
      : ending(".safetensors");
  const chosen = safetensors.length ? safetensors : ending(".gguf");
  if (!chosen.length)
    refuse(
      "source",
      [...named.keys()],
      "files of which one ends in .gguf, or config.json and model.safetensors or its shards",
    );
  const weights = chosen.map((name) => {
    const file = named.get(name);
    if (file) return fileOfBlob(name, file, progress.file());
    throw new WhereformerError("malformed_file", `${name}: is named in ${index} and not there`);
  });
  const text = async (name: string) => named.get(name)?.text();
  return { weights, json, text, ...(sentence && { sentence }) };
}

/** Weights that were given by themselves. */
export async function weightsOf(
  value: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<ByteFile> {
  const bytes = (all: Uint8Array) => fileOfBytes("weights", all, progress.file());
  if (value instanceof ArrayBuffer) return bytes(new Uint8Array(value));
  if (tagOf(value)) return bytes(bytesOf(value as ArrayBufferView));
  if (ArrayBuffer.isView(value))
    return bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (value instanceof Blob) return fileOfBlob("weights", value, progress.file());
  if (typeof value === "string" || value instanceof URL)
    return fileOfUrl(resolveUrl("weights", value), signal, progress.file());
  return refuse("weights", value, "a URL, bytes, or a Blob");
}
