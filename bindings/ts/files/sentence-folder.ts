/**
 * Where the files of a folder of sentence-transformers' lie: modules.json lists the transformer,
 * which most folders have at their top and older ones in a folder of its own, and what its states
 * go through, each with a folder.
 */

import type { WhereformerError } from "../wire/error.js";

export const modulesName = "modules.json";

/** One of the list. */
export interface Module {
  /** A class of Python: "sentence_transformers.models.Pooling". */
  type: string;
  /** Its folder, from that of modules.json on. */
  path: string;
}

export interface SentenceFiles {
  /** What the paths of the transformer's files begin with: nothing, or "0_Transformer/". */
  own: string;
  /** Of a file by its path from modules.json on; undefined where it is not there. */
  bytes(path: string): Promise<Uint8Array | undefined>;
}

/** Folders within, each by its name: none above, and none elsewhere. */
const isWithin = (path: string) =>
  path.split("/").every((name) => name && !/^\.\.?$|[\\:]/.test(name));

/** What modules.json lists; undefined where that is no list of modules in folders within. */
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
 * The files of a folder that is read by `bytes`; undefined where there is no modules.json. Whether
 * there is one may stay unknown, as without the network: that is said to who asks for a file.
 */
export async function sentenceFiles(
  bytes: SentenceFiles["bytes"],
): Promise<SentenceFiles | undefined> {
  let listed: Uint8Array | undefined;
  try {
    listed = await bytes(modulesName);
  } catch (cause) {
    const { code, details } = cause as Partial<WhereformerError>;
    if (code === "aborted") throw cause;
    // As some stores answer for what is not there.
    const status = details?.status ?? 0;
    if (status >= 400 && status < 500) return undefined;
    return { own: "", bytes: () => Promise.reject(cause) };
  }
  const path = listed && modulesOf(listed)?.[0]?.path;
  return listed && { own: path ? `${path}/` : "", bytes };
}

/** Of all files by their paths, those beside the transformer's, by their names. */
export const ownFiles = <T>(all: ReadonlyMap<string, T>, own: string): Map<string, T> =>
  new Map(
    [...all]
      .filter(([path]) => path.startsWith(own) && !path.includes("/", own.length))
      .map(([path, file]) => [path.slice(own.length), file]),
  );

/** All that a reader of the files asks for, by its path. */
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

/** A folder's path in an address. */
export const inAddress = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");
