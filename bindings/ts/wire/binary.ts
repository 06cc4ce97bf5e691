/** Reads a binary and compiles it: from beside the package, a URL, bytes, or a compiled module. */

import type { WasmSource } from "../types/index.js";
import { refuse, show } from "./arguments.js";
import { answerOf, WhereformerError } from "./error.js";
import { ordinaryBytes } from "./memory.js";
import { isAddress, isModule } from "./platform.js";
import { aborted } from "./signal.js";

type OnProgress = (done: number, total: number, loss?: number) => void;

export interface Download {
  signal: AbortSignal | undefined;
  onProgress: OnProgress | undefined;
  /** The error that onProgress threw, which ended the download. */
  thrown?: WhereformerError;
}

/** Checks an onProgress function, if there is one, and converts its errors to this package's. */
export function progressOf(value: unknown): OnProgress | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "function") return refuse("onProgress", value, "a function");
  return (...step) => answerOf("onProgress", () => void value(...step));
}

/** Two downloads whose progress is reported as a sum. */
export function inParts({ signal, onProgress }: Download): [Download, Download] {
  const done = [0, 0];
  const totals = [0, 0];
  const sum = ([first, second]: number[]) => first! + second!;
  const part = (index: 0 | 1): Download => ({
    signal,
    onProgress:
      onProgress &&
      ((loaded, total) => {
        done[index] = loaded;
        totals[index] = total;
        // 0, unknown, until both servers have sent a size.
        onProgress(sum(done), totals.includes(0) ? 0 : sum(totals));
      }),
  });
  return [part(0), part(1)];
}

export interface NodeFiles {
  readFileSync(url: URL): Uint8Array<ArrayBuffer>;
  statSync(url: URL): { size: number };
  openSync(url: URL, mode: "r"): number;
  closeSync(file: number): void;
  readSync(file: number, to: Uint8Array, at: number, count: number, from: number): number;
}

/** Node's file module, imported in a way that no bundler follows; undefined in browsers. */
export function nodeFiles(): NodeFiles | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.("node:fs") as NodeFiles | undefined;
}

/** Paths as users write them: "./m.gguf", "/models/a", "C:\\models", "m.gguf". */
const isPath = (text: string): boolean =>
  /^(?!\w{2,}:)[^\0]{1,4096}$/.test(text) && /[\\/]|^\.\.?$|\.\w+$/.test(text);

/** The URL of a path; undefined in browsers, and if the text is not a path. */
function urlOfPath(text: string): URL | undefined {
  const { location } = globalThis as { location?: object };
  if (location || !nodeFiles() || !isPath(text)) return undefined;
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(name: string): unknown };
  };
  const { pathToFileURL } = process.getBuiltinModule("node:url") as {
    pathToFileURL(path: string): URL;
  };
  return pathToFileURL(text);
}

/** Resolves a URL relative to the page (or worker); in Node an absolute URL or a path. */
export function resolveUrl(argument: string, value: string | URL): URL {
  const path = typeof value === "string" ? urlOfPath(value) : undefined;
  if (path) return path;
  try {
    const { location } = globalThis as { location?: { href: string } };
    return new URL(value, location?.href);
  } catch {
    return refuse(
      argument,
      typeof value === "string" ? value : show(value),
      "a URL (in Node an absolute one, or a path such as ./model)",
    );
  }
}

/** Permission errors of Node and Deno, which need a flag, and of the file system. */
const isForbidden = (cause: unknown): boolean => {
  const { name, code } = cause as { name?: string; code?: string };
  return /^(?:NotCapable|PermissionDenied|ERR_ACCESS_DENIED|EACCES|EPERM)$/.test(
    code ?? name ?? "",
  );
};

export const networkError = (url: URL, what: string, status?: number, cause?: unknown) =>
  new WhereformerError(
    "network",
    `${url.href}: ${what}`,
    status === undefined ? { url: url.href } : { url: url.href, status },
    cause,
  );

/** The error for a file that could not be read. */
export function fileFailure(url: URL, cause: unknown): WhereformerError {
  if (!isForbidden(cause)) {
    const { code, name } = cause as { code?: string; name?: string };
    const isMissing = code === "ENOENT" || name === "NotFound";
    const what = `could not be read${isMissing ? ": there is no such file" : ""}`;
    return networkError(url, what, undefined, cause);
  }
  return new WhereformerError(
    "unsupported",
    `${url.href}: this program may not read the file (${(cause as Error).message}); ` +
      "start it with --allow-read (Deno) or --allow-fs-read (Node), or pass bytes",
    { url: url.href },
    cause,
  );
}

/** The error for a download that ended early: the caller's cancellation, or the network's error. */
const failure = (url: URL, { thrown, signal }: Download, what: string, cause: unknown) =>
  thrown ?? (signal?.aborted ? aborted(signal, cause) : networkError(url, what, undefined, cause));

/** Returns a server's response if it has the requested file. Errors: network, aborted. */
export async function fetchedBody(
  url: URL,
  signal: AbortSignal | undefined,
  headers?: Record<string, string>,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...(signal && { signal }), ...(headers && { headers }) });
  } catch (cause) {
    throw failure(url, { signal, onProgress: undefined }, "could not be reached", cause);
  }
  if (!response.ok)
    throw networkError(
      url,
      `the server answered ${response.status} ${response.statusText}`.trim(),
      response.status,
    );
  // Servers of single-page apps answer unknown addresses with a page.
  if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? ""))
    throw networkError(
      url,
      "the server answered with a page (HTML), as many do for a missing file",
      response.status,
    );
  return response;
}

/** Among successful responses, only a page in place of the file is an error. */
export const isMissing = (reason: unknown) =>
  reason instanceof WhereformerError &&
  reason.code === "network" &&
  (reason.details["status"] === 404 ||
    reason.details["status"] === 200 ||
    (reason.cause as { code?: string })?.code === "ENOENT");

/** Whether a server answered with an error that some servers give for a missing file. */
export const isRefused = (reason: unknown) => {
  const status = Number((reason as Partial<WhereformerError>)?.details?.["status"] ?? 0);
  return status >= 400 && status < 500;
};

/** Resolves to the promise's value, or to undefined if the file does not exist. */
export const unlessMissing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((reason: unknown) => {
    if (isMissing(reason)) return undefined;
    throw reason;
  });

/** Fetches a URL, and counts the bytes of its body as they arrive. */
async function fetchCounted(url: URL, download: Download): Promise<Response> {
  const { signal, onProgress } = download;
  const response = await fetchedBody(url, signal);
  if (!onProgress || !response.body) return response;
  const total = Number(response.headers.get("content-length")) || 0;
  let loaded = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      try {
        onProgress(loaded, Math.max(total, loaded) * (total ? 1 : 0));
      } catch (cause) {
        // Not every JavaScript engine passes a stream's error on to its reader.
        download.thrown = cause as WhereformerError;
        throw cause;
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), {
    status: 200,
    headers: response.headers,
  });
}

/**
 * Reads a file: with Node's file module for a file URL, else by fetch. Errors: network, aborted.
 */
export async function readBytes(url: URL, download: Download): Promise<Uint8Array<ArrayBuffer>> {
  const files = url.protocol === "file:" ? nodeFiles() : undefined;
  if (!files) return readBody(url, download);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = files.readFileSync(url);
  } catch (cause) {
    throw fileFailure(url, cause);
  }
  download.onProgress?.(bytes.byteLength, bytes.byteLength);
  return bytes;
}

async function readBody(url: URL, download: Download): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchCounted(url, download);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw failure(url, download, "broke off", cause);
  }
}

async function compileUrl(url: URL, download: Download): Promise<WebAssembly.Module> {
  if (url.protocol === "file:" && nodeFiles())
    return compileBytes(await readBytes(url, download), url.href);
  const response = await fetchCounted(url, download);
  const isWasm = response.headers.get("content-type")?.split(";")[0]?.trim() === "application/wasm";
  if (!isWasm || !WebAssembly.compileStreaming) {
    const bytes = await response.arrayBuffer().catch((cause: unknown) => {
      throw failure(url, download, "broke off", cause);
    });
    return compileBytes(new Uint8Array(bytes), url.href);
  }
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (cause) {
    const { thrown, signal } = download;
    throw thrown ?? (signal?.aborted ? aborted(signal, cause) : malformed(url.href, cause));
  }
}

const malformed = (what: string, cause: unknown) =>
  new WhereformerError(
    "malformed_file",
    `${what}: not a WebAssembly binary of this engine (${(cause as Error).message})`,
    {},
    cause,
  );

async function compileBytes(
  bytes: ArrayBuffer | ArrayBufferView,
  what: string,
): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    throw malformed(what, cause);
  }
}

/** The URL of a file of the package, which may be unknown in bundles that are not modules. */
function packageAddress(argument: string, beside: () => URL): URL {
  try {
    return beside();
  } catch {
    return refuse(argument, undefined, "a URL, since this script does not know its own address");
  }
}

/** Errors: invalid_argument if the value is not a binary. */
export function checkSource(argument: string, source: unknown): asserts source is WasmSource {
  if (isAddress(source) || isModule(source) || ordinaryBytes(argument, source)) return;
  const sources = "a URL, bytes, or a WebAssembly.Module";
  refuse(argument, source, argument === "training" ? `true, false, ${sources}` : sources);
}

/** Compiles a binary. `beside` is its URL if the caller gave none. */
export function compileBinary(
  wasm: WasmSource | undefined,
  beside: () => URL,
  download: Download,
  argument = "wasm",
): Promise<WebAssembly.Module> {
  if (wasm === undefined) return compileUrl(packageAddress(argument, beside), download);
  checkSource(argument, wasm);
  if (isAddress(wasm)) return compileUrl(resolveUrl(argument, wasm), download);
  if (isModule(wasm)) return Promise.resolve(wasm);
  return compileBytes(ordinaryBytes(argument, wasm)!, argument);
}
