/**
 * Models kept in the browser: a folder for each in the origin's private file system. `kept.json` is
 * written last, so a folder without it is unfinished.
 */

import type { KeptModel } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import { aborted, throwIfAborted } from "../wire/signal.js";
import type { ByteFile } from "./byte-file.js";
import { named } from "./dropped.js";

const folderName = "whereformer-models";
const noteName = "kept.json";
/** Bytes that are read and written at once. */
const piece = 2 ** 22;

/** Metadata of a kept model. */
interface Note {
  name: string;
  /** The address it was fetched from. */
  from?: string;
}

/** Checks the name of a kept model. */
export const keptName = (argument: string, value: unknown): string =>
  typeof value === "string" && /^\S(?:.{0,198}\S)?$/u.test(value)
    ? value
    : refuse(argument, value, "a name of 1 to 200 characters, without spaces around it");

async function root(): Promise<FileSystemDirectoryHandle> {
  const storage = (globalThis.navigator as Navigator | undefined)?.storage as
    | Partial<StorageManager>
    | undefined;
  if (typeof storage?.getDirectory !== "function")
    throw new WhereformerError(
      "unsupported",
      "keep: this browser or page has no private storage (navigator.storage.getDirectory, on " +
        "https or localhost); open without keep",
      { argument: "keep" },
    );
  const top = await stored(() => storage.getDirectory!());
  return stored(() => top.getDirectoryHandle(folderName, { create: true }));
}

/** Converts errors of the storage to errors of this package. */
async function stored<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    if (cause instanceof WhereformerError) throw cause;
    const { name, message } = cause as DOMException;
    const isFull = name === "QuotaExceededError";
    throw new WhereformerError(
      isFull ? "storage_full" : "unsupported",
      isFull
        ? "keep: the browser's storage is full; delete kept models, or open without keep"
        : `keep: the browser's storage failed (${name}: ${message}); open without keep`,
      { argument: "keep" },
      cause,
    );
  }
}

interface Entry {
  /** Of the folder. */
  id: string;
  folder: FileSystemDirectoryHandle;
  note: Note;
}

async function noteOf(folder: FileSystemDirectoryHandle): Promise<Note | undefined> {
  try {
    const file = await (await folder.getFileHandle(noteName)).getFile();
    return JSON.parse(await file.text()) as Note;
  } catch {
    return undefined;
  }
}

/** The folders of kept models, and those of unfinished ones. */
async function entries(): Promise<{ all: Entry[]; unfinished: string[] }> {
  const folders = await root();
  const all: Entry[] = [];
  const unfinished: string[] = [];
  for await (const handle of folders.values()) {
    if (handle.kind !== "directory") continue;
    const folder = handle as FileSystemDirectoryHandle;
    const note = await noteOf(folder);
    if (note) all.push({ id: folder.name, folder, note });
    else unfinished.push(folder.name);
  }
  return { all, unfinished };
}

/** The files of a folder and its subfolders, named by path. */
async function filesOfFolder(folder: FileSystemDirectoryHandle, path = ""): Promise<File[]> {
  const files: File[] = [];
  for await (const handle of folder.values()) {
    const name = path + handle.name;
    if (handle.kind === "directory")
      files.push(...(await filesOfFolder(handle as FileSystemDirectoryHandle, `${name}/`)));
    else if (name !== noteName)
      files.push(await named(name, await (handle as FileSystemFileHandle).getFile()));
  }
  return files;
}

/** Errors: unsupported. */
export async function keptModels(): Promise<KeptModel[]> {
  const { all } = await entries();
  const list = await Promise.all(
    all.map(async ({ folder, note }) => {
      const files = (await filesOfFolder(folder)).map(({ name, size }) => ({ name, bytes: size }));
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const { name, from } = note;
      return { name, bytes, files, ...(from !== undefined && { from }) };
    }),
  );
  return list.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function remove(ids: readonly string[]): Promise<void> {
  const folders = await root();
  for (const id of ids) await stored(() => folders.removeEntry(id, { recursive: true }));
}

/** Returns whether the model existed. Errors: unsupported. */
export async function deleteKept(value: unknown): Promise<boolean> {
  const name = keptName("name", value);
  const { all } = await entries();
  const ids = all.filter(({ note }) => note.name === name).map(({ id }) => id);
  await remove(ids);
  return ids.length > 0;
}

/** The files of a kept model; undefined if there is none, or none from that address. */
export async function keptFiles(name: string, from?: string): Promise<File[] | undefined> {
  const { all } = await entries();
  const found = all.find(({ note }) => note.name === name && (!from || note.from === from));
  return found && filesOfFolder(found.folder);
}

/** A file handle's API in a worker, as not every browser has `createWritable`. */
interface SyncFile {
  createSyncAccessHandle(): Promise<{
    write(bytes: Uint8Array, at: { at: number }): number;
    close(): void;
  }>;
}

/** Writes a file piece by piece, and always closes it. */
async function write(
  folder: FileSystemDirectoryHandle,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const [name, ...within] = path.split("/").reverse() as [string, ...string[]];
  let inner = folder;
  for (const step of within.reverse())
    inner = await stored(() => inner.getDirectoryHandle(step, { create: true }));
  const handle = await stored(() => inner.getFileHandle(name, { create: true }));
  if (typeof handle.createWritable === "function") {
    const writable = await stored(() => handle.createWritable());
    try {
      for await (const bytes of pieces)
        await stored(() => writable.write(bytes as Uint8Array<ArrayBuffer>));
    } catch (cause) {
      await writable.abort().catch(() => {});
      throw cause;
    }
    await stored(() => writable.close());
    return;
  }
  const sync = await stored(() => (handle as unknown as SyncFile).createSyncAccessHandle());
  try {
    let at = 0;
    for await (const bytes of pieces) at += await stored(async () => sync.write(bytes, { at }));
  } finally {
    sync.close();
  }
}

async function* inPieces(file: ByteFile, signal: AbortSignal | undefined) {
  for (let first = 0; first < file.size; first += piece) {
    const bytes = await file.read(first, Math.min(first + piece, file.size));
    throwIfAborted(signal);
    yield bytes;
  }
}

async function* whole(bytes: Uint8Array) {
  yield bytes;
}

/** A model being written: it does not exist until `finish`. */
export class Keeping {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #note: Note;

  private constructor(folder: FileSystemDirectoryHandle, note: Note) {
    this.#folder = folder;
    this.#note = note;
  }

  /**
   * Runs a body that writes a model, and must call `finish`; otherwise all is deleted. One at a
   * time over all pages of the origin. Errors: unsupported, storage_full, aborted.
   */
  static async during<T>(
    note: Note,
    signal: AbortSignal | undefined,
    body: (keeping: Keeping) => Promise<T>,
  ): Promise<T> {
    const folders = await root();
    return alone(signal, async () => {
      // Unfinished folders of pages that were closed: no other page writes now.
      await remove((await entries()).unfinished);
      const id = crypto.randomUUID();
      const folder = await stored(() => folders.getDirectoryHandle(id, { create: true }));
      try {
        return await body(new Keeping(folder, note));
      } catch (cause) {
        await remove([id]).catch(() => {});
        throw cause;
      }
    });
  }

  /** `place`: prefix of the file's path. */
  async add(file: ByteFile, prefix: string, signal: AbortSignal | undefined): Promise<void> {
    await write(this.#folder, prefix + fileName(file), inPieces(file, signal));
    file.pause();
  }

  async addBytes(path: string, bytes: Uint8Array): Promise<void> {
    await write(this.#folder, path, whole(bytes));
  }

  addJson(path: string, value: unknown): Promise<void> {
    return this.addBytes(path, new TextEncoder().encode(JSON.stringify(value)));
  }

  files(): Promise<File[]> {
    return filesOfFolder(this.#folder);
  }

  /** Makes the model available, in place of an earlier one of the same name. */
  async finish(): Promise<void> {
    const { all } = await entries();
    await this.addJson(noteName, this.#note);
    const before = all.filter(({ note }) => note.name === this.#note.name);
    await remove(before.map(({ id }) => id));
  }
}

/** The last part of an address, or the name. */
const fileName = ({ name }: ByteFile): string =>
  decodeURIComponent(name.replace(/[?#].*$/, "").replace(/^.*\//, ""));

async function alone<T>(signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return body();
  let isRunning = false;
  try {
    return (await locks.request(folderName, { ...(signal && { signal }) }, () => {
      isRunning = true;
      return body();
    })) as T;
  } catch (cause) {
    if (!isRunning && signal?.aborted) throw aborted(signal, cause);
    throw cause;
  }
}
