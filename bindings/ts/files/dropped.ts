/** Files that were chosen or dropped, and those of a directory's handle. */

import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import {
  bytesOfBlob,
  isBlob,
  isFile,
  isFileList,
  isOwnBlob,
  isResponse,
} from "../wire/platform.js";
import { modulesName, modulesOf } from "./sentence-folder.js";

/** A file by its path within the folder, of the platform's own class. */
export async function named(path: string, file: Blob): Promise<File> {
  const isOwn = isOwnBlob(file);
  if (isOwn && isFile(file) && file.name === path) return file;
  return new File([isOwn ? file : await bytesOfBlob(file)], path, { type: file.type });
}

/** With a folder's files those of the folders within it that its modules.json names. */
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

/** A source with its files in a list, where it is made of files. */
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

/** A file's own name. */
const nameOf = (blob: Blob, unnamed: string): string =>
  isFile(blob) && typeof blob.name === "string" ? blob.name : unnamed;

/** What was fetched, whole. Errors: network, invalid_argument where it was read already. */
export async function fileOfResponse(argument: string, response: Response): Promise<File> {
  const { ok, status, url, bodyUsed } = response;
  if (!ok)
    throw new WhereformerError("network", `${url}: the server answered ${status}`, { url, status });
  if (bodyUsed) refuse(argument, response, "one whose body was not read yet");
  const name = /([^/?#]*)(?:[?#].*)?$/.exec(url)?.[1] || "source";
  return new File([await response.arrayBuffer()], name);
}

async function filesOfList(list: readonly unknown[]): Promise<File[]> {
  const near = Array.from(besideWeights(list));
  if (near.length > mostFiles) return refuse("source", near, `up to ${mostFiles} files`);
  const folders = near.filter(isFolder);
  const others = near.filter((item) => !isFolder(item));
  const loose = (await Promise.all(others.map(filesOfItem))).flat();
  // Folders that were dropped beside a model's files are within its own.
  const inside = loose.some(isOfModel) ? [] : await Promise.all(folders.map(filesOfEntry));
  const first = others.find(isFile);
  const place = first ? placeOf(first) : "";
  return withModules([...loose, ...inside.flat()], async (path) => {
    const isWithin = (item: unknown): item is File =>
      isFile(item) && placeOf(item) === `${place}${path}/`;
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
    let place = folder;
    try {
      for (const name of path.split("/")) place = await place.getDirectoryHandle(name);
    } catch {
      return []; // which one is missing is said by who reads it
    }
    return filesIn(place);
  });

/** The path of a chosen file's folder, with a / at its end. */
const placeOf = ({ webkitRelativePath }: File) => (webkitRelativePath ?? "").replace(/[^/]*$/, "");

const mostFiles = 4096;
/** With those of the folders within it; looking through a longer list could take minutes. */
const mostListed = 65536;

/** What stands at the top of a model's folder. */
const isOfModel = ({ name }: File) => /\.(?:gguf|safetensors)$/.test(name) || name === modulesName;

const isFolder = (item: unknown): item is FileSystemDirectoryEntry =>
  (item as Partial<FileSystemEntry> | null | undefined)?.isDirectory === true;

const depthOf = ({ webkitRelativePath }: File) => (webkitRelativePath ?? "").split("/").length;

/**
 * A folder that was chosen comes with the files of the folders within it, such as a pooling's own
 * config.json: those that lie beside the uppermost weights are its model's.
 */
function besideWeights(list: readonly unknown[]): readonly unknown[] {
  if (list.length > mostListed)
    return refuse("source", `a list of ${list.length}`, `up to ${mostListed} files`);
  const files = list.filter(isFile);
  const weights = files.filter(isOfModel);
  const depth = Math.min(...(weights.length ? weights : files).map(depthOf));
  return list.filter((item) => !isFile(item) || depthOf(item) === depth);
}

async function filesOfItem(item: unknown, index: number): Promise<File | File[]> {
  if (isBlob(item)) return named(nameOf(item, `file ${index + 1}`), item);
  // An item of what was dropped that is no file.
  if (item === null) return [];
  if (typeof item !== "object") return refuse("source", item, "files or a folder");
  const { name, blob } = item as Partial<Carried>;
  return isBlob(blob) ? named(String(name), blob) : filesOfDropped(item as FileSystemEntry);
}

/** A file as a message carries it: Node's lose their names on the way. */
interface Carried {
  name: string;
  blob: Blob;
}

/** What `filesOf` gave, as a message carries it. */
export const carriedFiles = (source: unknown): unknown =>
  Array.isArray(source)
    ? (source as File[]).map((file): Carried => ({ name: file.name, blob: new Blob([file]) }))
    : source;

/** The files of a folder within a dropped one, or of that itself; none where it is not there. */
const filesWithin = (folder: FileSystemDirectoryEntry, path: string): Promise<File[]> =>
  path
    ? new Promise((resolve) => {
        const found = (within: FileSystemEntry) => resolve(filesOfDropped(within));
        folder.getDirectory(path, {}, found, () => resolve([]));
      })
    : filesOfDropped(folder);

const filesOfEntry = async (folder: FileSystemDirectoryEntry): Promise<File[]> =>
  withModules(await filesOfDropped(folder), (path) => filesWithin(folder, path));

/** The files of a dropped folder, or the one that was dropped. */
function filesOfDropped(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return new Promise((resolve, reject) => {
      (entry as FileSystemFileEntry).file((file) => resolve([file]), reject);
    });
  if (!entry.isDirectory) return refuse("source", entry, "files or a folder");
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Some at a time, until there are none.
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
