/** What a model is made of, as the caller of wf.model says it. */

import type { ModelSource } from "../types/index.js";
import { boolean, checkObject, checkOptions, refuse } from "../wire/arguments.js";
import { type Download, progressOf } from "../wire/binary.js";
import { signalOf } from "../wire/signal.js";
import { type OwnTokenizer, ownTokenizer } from "./tokenizer.js";

/** Files that were dropped or chosen. Asked at once: what was dropped is gone after the event. */
export async function filesOf(source: unknown): Promise<unknown> {
  if (typeof source !== "object" || source === null) return source;
  if (source instanceof Blob)
    return [source instanceof File ? source : new File([source], "model.gguf")];
  const given = source as Partial<DataTransfer & FileSystemDirectoryHandle> & Iterable<unknown>;
  if (given.kind === "directory" && typeof given.values === "function") {
    const files: File[] = [];
    for await (const item of given.values())
      if (item.kind === "file") files.push(await (item as FileSystemFileHandle).getFile());
    return files;
  }
  if (typeof DataTransfer === "function" && source instanceof DataTransfer) {
    const entries = Array.from(source.items, (item) => item.webkitGetAsEntry());
    return (await Promise.all(entries.map(filesIn))).flat();
  }
  const list = typeof FileList === "function" && source instanceof FileList ? [...source] : source;
  if (!Array.isArray(list) || list.every((item) => item instanceof File)) return list;
  return refuse("source", list, "a list of files");
}

/** The files of a dropped folder, or the one that was dropped. */
function filesIn(entry: FileSystemEntry | null): Promise<File[]> {
  if (!entry) return Promise.resolve([]);
  if (entry.isFile)
    return new Promise((resolve, reject) => {
      (entry as FileSystemFileEntry).file((file) => resolve([file]), reject);
    });
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Some at a time, until there are none.
  const more = (): Promise<File[]> =>
    new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    }).then(async (entries) => {
      if (!entries.length) return files;
      const found = await Promise.all(entries.filter((one) => one.isFile).map(filesIn));
      files.push(...found.flat());
      return more();
    });
  return more();
}

/** Whether a source is a config alone: a model that begins with initial weights. */
export function isConfig(source: unknown): source is Record<string, unknown> {
  if (typeof source === "string" || source instanceof URL || Array.isArray(source)) return false;
  checkObject("source", source as ModelSource);
  return !("weights" in (source as object)) && !("config" in (source as object));
}

export interface SourceOptions {
  download: Download;
  tokenizer: OwnTokenizer | undefined;
  allowNotFinite: boolean;
}

/** What the caller of wf.model said beside the source. */
export function sourceOptions(options: unknown): SourceOptions {
  checkOptions("options", options, ["tokenizer", "allowNotFinite", "signal", "onProgress"]);
  const given = options as Record<string, unknown>;
  return {
    download: { signal: signalOf(given["signal"]), onProgress: progressOf(given["onProgress"]) },
    tokenizer: ownTokenizer(given["tokenizer"]),
    allowNotFinite: boolean("allowNotFinite", given["allowNotFinite"] ?? false),
  };
}
