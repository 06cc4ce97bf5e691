/**
 * What an object of the platform is, wherever it was made: a frame, a test runner's context and an
 * emulated page have classes of their own, of which ours know nothing. So it is told by what the
 * object says it is and by its own getters, and nowhere by `instanceof`.
 */

/** "Blob", "URL", "Object" and so on: what the object calls itself. */
export const classOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice(8, -1);

type Field = "string" | "number" | "boolean" | "function";

/** Whether it calls itself so, and a getter answers: that of a mere heir of the class throws. */
function isOf(value: unknown, names: readonly string[], key: string, field: Field): boolean {
  if (typeof value !== "object" || value === null || !names.includes(classOf(value))) return false;
  try {
    return typeof (value as Record<string, unknown>)[key] === field;
  } catch {
    return false;
  }
}

export const isUrl = (value: unknown): value is URL => isOf(value, ["URL"], "href", "string");

/** An address, as text or as a URL. */
export const isAddress = (value: unknown): value is string | URL =>
  typeof value === "string" || isUrl(value);

/** A Blob or a File whose bytes can be asked for. */
export const isBlob = (value: unknown): value is Blob =>
  isOf(value, ["Blob", "File"], "size", "number") &&
  (typeof FileReader === "function" || isOf(value, ["Blob", "File"], "arrayBuffer", "function"));

/** Whether the platform's own classes take it: an emulated page's is an object like any other. */
export function isOwnBlob(blob: Blob): boolean {
  try {
    Object.getOwnPropertyDescriptor(Blob.prototype, "size")!.get!.call(blob);
    return true;
  } catch {
    return false;
  }
}

/** A Blob's bytes, which older emulated pages give to a FileReader alone. */
export const bytesOfBlob = (blob: Blob): Promise<ArrayBuffer> =>
  typeof blob.arrayBuffer === "function"
    ? blob.arrayBuffer()
    : new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result as ArrayBuffer);
        reader.onerror = () => reject(reader.error);
        reader.readAsArrayBuffer(blob);
      });

export const isFile = (value: unknown): value is File => isBlob(value) && classOf(value) === "File";

export const isResponse = (value: unknown): value is Response =>
  isOf(value, ["Response"], "status", "number");

export const isFileList = (value: unknown): value is FileList =>
  isOf(value, ["FileList"], "length", "number");

export const isDataTransfer = (value: unknown): value is DataTransfer =>
  isOf(value, ["DataTransfer"], "effectAllowed", "string");

export const isForeignSignal = (value: unknown): value is AbortSignal =>
  isOf(value, ["AbortSignal"], "aborted", "boolean");

/** Promises, and what else can be awaited. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  typeof (value as Partial<PromiseLike<unknown>>).then === "function";

/** What is thrown may be anything, and throw in its turn. */
function errorField(cause: unknown, key: "name" | "message"): string | undefined {
  try {
    const said: unknown = (cause as Partial<Error> | null | undefined)?.[key];
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}

function shown(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return "what cannot be shown";
  }
}

/** Errors of the platform and of other realms. */
export const isError = (value: unknown, name: string): value is Error =>
  errorField(value, "name") === name;

/** An error's message, or what was thrown in its place as text. */
export const messageOf = (cause: unknown): string => errorField(cause, "message") ?? shown(cause);

/** A compiled binary: only of one can its exports be asked. */
export function isModule(value: unknown): value is WebAssembly.Module {
  try {
    return !!WebAssembly.Module.exports(value as WebAssembly.Module);
  } catch {
    return false;
  }
}

export const isTable = (value: unknown): value is WebAssembly.Table =>
  classOf(value) === "WebAssembly.Table";

/** A plain object or one of a class without a name of its own, and no list. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && classOf(value) === "Object";

/** What an engine made, whichever: this package's objects all say so. */
export const engineTag = "Whereformer";
/** Under which they say what they are: "scheme", "worker's scheme". */
export const kindKey: unique symbol = Symbol.for("whereformer.kind") as never;
export const isOfAnEngine = (value: unknown): boolean =>
  typeof value === "object" && value !== null && classOf(value) === engineTag;
