/** Files that were chosen or dropped, and those of a directory's handle. */

import { refuse } from "../wire/arguments.js";

/** A source with its files in a list, where it is made of files. */
export async function filesOf(source: unknown): Promise<unknown> {
  if (typeof source !== "object" || source === null) return source;
  if (source instanceof Blob)
    return [source instanceof File ? source : new File([source], "model.gguf")];
  const given = source as Partial<FileSystemDirectoryHandle>;
  if (given.kind === "directory" && typeof given.values === "function") {
    const files: File[] = [];
    for await (const item of given.values())
      if (item.kind === "file") files.push(await (item as FileSystemFileHandle).getFile());
    return files;
  }
  const list = typeof FileList === "function" && source instanceof FileList ? [...source] : source;
  if (!Array.isArray(list)) return list;
  const near = besideWeights(list);
  if (near.length > mostFiles) return refuse("source", near, `up to ${mostFiles} files`);
  const found = await Promise.all(Array.from(near, filesOfItem));
  return found.flat();
}

const mostFiles = 4096;
/** With those of the folders within it; looking through a longer list could take minutes. */
const mostListed = 65536;

const depthOf = ({ webkitRelativePath }: File) => (webkitRelativePath ?? "").split("/").length;

/**
 * A folder that was chosen comes with the files of the folders within it, such as a pooling's own
 * config.json: those that lie beside the uppermost weights are its model's.
 */
function besideWeights(list: readonly unknown[]): readonly unknown[] {
  if (list.length > mostListed)
    return refuse("source", `a list of ${list.length}`, `up to ${mostListed} files`);
  const files = list.filter((item): item is File => item instanceof File);
  const weights = files.filter(({ name }) => /\.(?:gguf|safetensors)$/.test(name));
  const depth = Math.min(...(weights.length ? weights : files).map(depthOf));
  return list.filter((item) => !(item instanceof File) || depthOf(item) === depth);
}

async function filesOfItem(item: unknown): Promise<File | File[]> {
  if (item instanceof File) return item;
  // An item of what was dropped that is no file.
  if (item === null) return [];
  if (typeof item !== "object") return refuse("source", item, "files or a folder");
  const { name, blob } = item as Partial<Carried>;
  return blob instanceof Blob ? new File([blob], String(name)) : filesIn(item as FileSystemEntry);
}

/** A file as a message carries it: Node's lose their names on the way. */
interface Carried {
  name: string;
  blob: Blob;
}

export const carriedFiles = (source: unknown): unknown =>
  Array.isArray(source)
    ? (besideWeights(source) as File[]).map(
        (file): Carried => ({ name: file.name, blob: new Blob([file]) }),
      )
    : source;

/** The files of a dropped folder, or the one that was dropped. */
function filesIn(entry: FileSystemEntry): Promise<File[]> {
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
      const found = await Promise.all(entries.filter((one) => one.isFile).map(filesIn));
      files.push(...found.flat());
      return more();
    });
  return more();
}
