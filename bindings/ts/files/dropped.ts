/** Files that were chosen or dropped, and those of a directory handle. */

import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import {
  bytesOfBlob,
  isBlob,
  isFile,
  isFileList,
  isNativeBlob,
  isResponse,
} from "../wire/platform.js";
import { modulesName, modulesOf } from "./sentence-folder.js";

/** A file with its path within the folder as its name, of the platform's own File class. */
export async function named(path: string, file: Blob): Promise<File> {
  const isNative = isNativeBlob(file);
  if (isNative && isFile(file) && file.name === path) return file;
  return new File([isNative ? file : await bytesOfBlob(file)], path, { type: file.type });
}

/** Adds, to a folder's files, those of the subfolders that its modules.json names. */
async function withModules(
  files: File[],
  within: (path: string) => Promise<readonly File[]>,
): Promise<File[]> {
  const list = files.find(({ name }) => name === modulesName);
  const modules = list && modulesOf(new Uint8Array(await list.arrayBuffer()));
  const paths = new Set(modules?.map(({ path }) => path).filter(Boolean));
  const found = await Promise.all(
    [...paths].map(async (path) =>
      Promise.all((await within(path)).map((file) => named(`${path}/${file.name}`, file))),
    ),
  );
  return [...files, ...found.flat()];
}

/** Replaces a source's files, folders and handles by a list of files. */
export async function filesOf(source: unknown): Promise<unknown> {
  if (typeof source !== "object" || source === null) return source;
  if (isBlob(source)) return [await named(nameOf(source, "source"), source)];
  if (isResponse(source)) return [await fileOfResponse("source", source)];
  const given = source as Partial<FileSystemDirectoryHandle>;
  if (given.kind === "directory" && typeof given.values === "function")
    return filesOfHandle(given as FileSystemDirectoryHandle);
  const list = isFileList(source) ? Array.from(source) : source;
  return Array.isArray(list) ? filesOfList(list) : list;
}

/** The name of a file. */
const nameOf = (blob: Blob, unnamed: string): string =>
  isFile(blob) && typeof blob.name === "string" ? blob.name : unnamed;

/** Reads a response completely. Errors: network, invalid_argument if it was read already. */
export async function fileOfResponse(argument: string, response: Response): Promise<File> {
  const { ok, status, url, bodyUsed } = response;
  if (!ok)
    throw new WhereformerError("network", `${url}: the server answered ${status}`, { url, status });
  if (bodyUsed) refuse(argument, response, "a response whose body was not read yet");
  const name = /([^/?#]*)(?:[?#].*)?$/.exec(url)?.[1] || "source";
  return new File([await response.arrayBuffer()], name);
}

async function filesOfList(list: readonly unknown[]): Promise<File[]> {
  const near = Array.from(besideWeights(list));
  if (near.length > maxFiles) return refuse("source", near, `at most ${maxFiles} files`);
  const folders = near.filter(isFolder);
  const others = near.filter((item) => !isFolder(item));
  const loose = (await Promise.all(others.map(filesOfItem))).flat();
  // Folders dropped beside a model's files count as its subfolders.
  const inside = loose.some(isOfModel) ? [] : await Promise.all(folders.map(filesOfEntry));
  const first = others.find(isFile);
  const prefix = first ? folderOf(first) : "";
  return withModules([...loose, ...inside.flat()], async (path) => {
    const isWithin = (item: unknown): item is File =>
      isFile(item) && folderOf(item) === `${prefix}${path}/`;
    const [name, ...rest] = path.split("/");
    const folder = folders.find((one) => one.name === name);
    const dropped = folder ? await filesWithin(folder, rest.join("/")) : [];
    return [...list.filter(isWithin), ...dropped];
  });
}

async function filesIn(folder: FileSystemDirectoryHandle): Promise<File[]> {
  const files: File[] = [];
  for await (const item of folder.values())
    if (item.kind === "file") files.push(await (item as FileSystemFileHandle).getFile());
  return files;
}

const filesOfHandle = async (folder: FileSystemDirectoryHandle): Promise<File[]> =>
  withModules(await filesIn(folder), async (path) => {
    let inner = folder;
    try {
      for (const name of path.split("/")) inner = await inner.getDirectoryHandle(name);
    } catch {
      return []; // the reader reports which file is missing
    }
    return filesIn(inner);
  });

/** The path of a chosen file's folder, with a / at its end. */
const folderOf = ({ webkitRelativePath }: File) => (webkitRelativePath ?? "").replace(/[^/]*$/, "");

const maxFiles = 4096;
/** Maximum files of a choice, subfolders included; a longer list could take minutes to search. */
const maxListed = 65536;

/** Files at the top level of a model's folder. */
const isOfModel = ({ name }: File) => /\.(?:gguf|safetensors)$/.test(name) || name === modulesName;

const isFolder = (item: unknown): item is FileSystemDirectoryEntry =>
  (item as Partial<FileSystemEntry> | null | undefined)?.isDirectory === true;

const depthOf = ({ webkitRelativePath }: File) => (webkitRelativePath ?? "").split("/").length;

/**
 * A chosen folder comes with the files of its subfolders, such as a pooling's config.json: the
 * files beside the topmost weights are the model's.
 */
function besideWeights(list: readonly unknown[]): readonly unknown[] {
  if (list.length > maxListed)
    return refuse("source", `a list of ${list.length}`, `at most ${maxListed} files`);
  const files = list.filter(isFile);
  const weights = files.filter(isOfModel);
  const depth = Math.min(...(weights.length ? weights : files).map(depthOf));
  return list.filter((item) => !isFile(item) || depthOf(item) === depth);
}

async function filesOfItem(item: unknown, index: number): Promise<File | File[]> {
  if (isBlob(item)) return named(nameOf(item, `file ${index + 1}`), item);
  // A dropped item that is not a file.
  if (item === null) return [];
  if (typeof item !== "object") return refuse("source", item, "files or a folder");
  const { name, blob } = item as Partial<Carried>;
  return isBlob(blob) ? named(String(name), blob) : filesOfDropped(item as FileSystemEntry);
}

/** A file with its name, for messages: Node's messages lose the names of files. */
interface Carried {
  name: string;
  blob: Blob;
}

/** The result of `filesOf`, in a form that messages keep. */
export const carriedFiles = (source: unknown): unknown =>
  Array.isArray(source)
    ? (source as File[]).map((file): Carried => ({ name: file.name, blob: new Blob([file]) }))
    : source;

/** The files of a dropped folder or of a subfolder; empty if it does not exist. */
const filesWithin = (folder: FileSystemDirectoryEntry, path: string): Promise<File[]> =>
  path
    ? new Promise((resolve) => {
        const found = (within: FileSystemEntry) => resolve(filesOfDropped(within));
        folder.getDirectory(path, {}, found, () => resolve([]));
      })
    : filesOfDropped(folder);

const filesOfEntry = async (folder: FileSystemDirectoryEntry): Promise<File[]> =>
  withModules(await filesOfDropped(folder), (path) => filesWithin(folder, path));

/** The files of a dropped folder, or the single dropped file. */
function filesOfDropped(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return new Promise((resolve, reject) => {
      (entry as FileSystemFileEntry).file((file) => resolve([file]), reject);
    });
  if (!entry.isDirectory) return refuse("source", entry, "files or a folder");
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Entries come in batches, until one is empty.
  const more = (): Promise<File[]> =>
    new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    }).then(async (entries) => {
      if (!entries.length) return files;
      const found = await Promise.all(entries.filter((one) => one.isFile).map(filesOfDropped));
      files.push(...found.flat());
      return more();
    });
  return more();
}
