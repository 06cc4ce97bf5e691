/**
 * Finds the files of a sentence-transformers folder: modules.json lists the transformer, at the top
 * of most folders and in a subfolder of older ones, and the modules that process its states, each
 * with a subfolder.
 */

import { isRefused } from "../wire/binary.js";
import type { WhereformerError } from "../wire/error.js";

export const modulesName = "modules.json";

/** One entry of the list. */
export interface Module {
  /** A Python class: "sentence_transformers.models.Pooling". */
  type: string;
  /** Its folder, relative to that of modules.json. */
  path: string;
}

export interface SentenceFiles {
  /** Prefix of the transformer's file paths: nothing, or "0_Transformer/". */
  prefix: string;
  /** Reads a file by its path relative to modules.json; undefined if it does not exist. */
  bytes(path: string): Promise<Uint8Array | undefined>;
}

/** Whether a path is a subfolder, named directly: none above, and none elsewhere. */
const isWithin = (path: string) =>
  path.split("/").every((name) => name && !/^\.\.?$|[\\:]/.test(name));

/** The modules that modules.json lists; undefined if it is not a list of modules in subfolders. */
export function modulesOf(bytes: Uint8Array): Module[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const isModule = (one: unknown): one is Module => {
    const { type, path } = (one ?? {}) as Partial<Module>;
    return typeof type === "string" && typeof path === "string" && (!path || isWithin(path));
  };
  return list.every(isModule) ? list : undefined;
}

/**
 * The files of a folder that `bytes` reads; undefined without a modules.json. If the network fails
 * before that is known, the error is thrown when a file is read.
 */
export async function sentenceFiles(
  bytes: SentenceFiles["bytes"],
): Promise<SentenceFiles | undefined> {
  let listed: Uint8Array | undefined;
  try {
    listed = await bytes(modulesName);
  } catch (cause) {
    if ((cause as Partial<WhereformerError>).code === "aborted") throw cause;
    if (isRefused(cause)) return undefined;
    return { prefix: "", bytes: () => Promise.reject(cause) };
  }
  const path = listed && modulesOf(listed)?.[0]?.path;
  return listed && { prefix: path ? `${path}/` : "", bytes };
}

/** Selects the transformer's files by path and returns them by name. */
export const filesWithin = <T>(all: ReadonlyMap<string, T>, prefix: string): Map<string, T> =>
  new Map(
    [...all]
      .filter(([path]) => path.startsWith(prefix) && !path.includes("/", prefix.length))
      .map(([path, file]) => [path.slice(prefix.length), file]),
  );

/** Records all files that a reader requests, by path. */
export async function filesRead(
  files: SentenceFiles,
  read: (files: SentenceFiles) => Promise<unknown>,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const bytes = async (path: string) => {
    const content = await files.bytes(path);
    if (content) found.set(path, content);
    return content;
  };
  await read({ ...files, bytes });
  return found;
}

/** A folder's path, encoded for an address. */
export const inAddress = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");
