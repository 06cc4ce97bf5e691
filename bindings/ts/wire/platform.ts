/**
 * Recognises objects of the platform from any realm: a frame, a test runner's context and an
 * emulated page have their own classes. So objects are recognised by their tag and by their own
 * getters, never by `instanceof`.
 */

/** The object's tag: "Blob", "URL", "Object" and so on. */
export const classOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice(8, -1);

type Field = "string" | "number" | "boolean" | "function";

/** Whether tag and getter match: for an object that only inherits the class, the getter throws. */
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

/** A Blob or a File whose bytes can be read. */
export const isBlob = (value: unknown): value is Blob =>
  isOf(value, ["Blob", "File"], "size", "number") &&
  (typeof FileReader === "function" || isOf(value, ["Blob", "File"], "arrayBuffer", "function"));

/** Whether it is of the platform's own class; an emulated page's Blob is a plain object to it. */
export function isNativeBlob(blob: Blob): boolean {
  try {
    Object.getOwnPropertyDescriptor(Blob.prototype, "size")!.get!.call(blob);
    return true;
  } catch {
    return false;
  }
}

/** A Blob's bytes, which in older emulated pages only a FileReader can read. */
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

/** Promises and other thenables. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  typeof (value as Partial<PromiseLike<unknown>>).then === "function";

/** A thrown value may be anything, and its getters may throw. */
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

/** Whether it is an error of that name, from any realm. */
export const isError = (value: unknown, name: string): value is Error =>
  errorField(value, "name") === name;

/** An error's message, or another thrown value as text. */
export const messageOf = (cause: unknown): string => errorField(cause, "message") ?? shown(cause);

/** A compiled binary: WebAssembly.Module.exports throws for anything else. */
export function isModule(value: unknown): value is WebAssembly.Module {
  try {
    return !!WebAssembly.Module.exports(value as WebAssembly.Module);
  } catch {
    return false;
  }
}

export const isTable = (value: unknown): value is WebAssembly.Table =>
  classOf(value) === "WebAssembly.Table";

/** A plain object or one of an unnamed class, and not a list. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && classOf(value) === "Object";

/** Tag of all engines' objects of this package. */
export const engineTag = "Whereformer";
/** Key of the kind of such an object: "scheme", "worker's scheme". */
export const kindKey: unique symbol = Symbol.for("whereformer.kind") as never;
export const isOfAnEngine = (value: unknown): boolean =>
  typeof value === "object" && value !== null && classOf(value) === engineTag;
