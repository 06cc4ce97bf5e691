/**
 * Starts one of the package's scripts in a worker: from beside the package, at any origin, or from
 * the caller's source. A script has no imports, so a copy of it works anywhere.
 */
import type { WorkerLike, WorkerSource } from "../types/index.js";
import { refuse } from "./arguments.js";
import { resolveUrl } from "./binary.js";
import { answerOf, WhereformerError } from "./error.js";
import { isAddress } from "./platform.js";

/** Methods of Node's workers beside those of the web. */
export interface NodeWorker extends WorkerLike {
  on(event: "message", listener: (message: never) => void): void;
  on(event: "error" | "messageerror", listener: (error: Error) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  unref(): void;
  performance?: { eventLoopUtilization(): { idle: number } };
}

export interface Listener<News> {
  message(news: News): void;
  /** It has failed; may be called more than once. */
  error(reason: WhereformerError): void;
}

const nodeWorkers = () => {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.("node:worker_threads") as
    | { Worker: new (url: URL, options: object) => NodeWorker }
    | undefined;
};

/** Whether this JavaScript engine has workers at all: a service worker has none. */
export const hasWorkers = (): boolean =>
  typeof Worker === "function" || nodeWorkers() !== undefined;

interface Policy {
  createScriptURL(url: string): string;
}
let policy: Policy | undefined;

/**
 * A trusted script URL for pages with Trusted Types, if their policy allows this package's name.
 */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  };
  try {
    policy ??= trustedTypes?.createPolicy("whereformer", { createScriptURL: (address) => address });
  } catch {
    // Then a string is used, which may be allowed.
  }
  return policy ? policy.createScriptURL(url) : url;
}

/**
 * A worker rejects scripts of another origin, and a page without an origin (a sandboxed frame)
 * rejects all module scripts. A classic script from this page that only imports the module is
 * allowed; messages that arrive before the import wait.
 */
const importer = (url: string) =>
  `const early = [], keep = (event) => early.push(event);
addEventListener("message", keep);
import(${JSON.stringify(url)}).then(() => {
  removeEventListener("message", keep);
  for (const { data } of early) dispatchEvent(new MessageEvent("message", { data }));
}, (error) => setTimeout(() => { throw error; }));`;

function startWeb(url: URL): Worker {
  const { origin } = globalThis as { origin?: string };
  // The scripts are valid classic scripts, so they run as such if modules are rejected.
  if (origin === "null" && url.protocol === "blob:") return new Worker(trusted(url.href));
  const isOurs =
    origin === undefined || url.origin === origin || !/^(?:https?|file):/.test(url.href);
  if (isOurs && origin !== "null") return new Worker(trusted(url.href), { type: "module" });
  const script = new Blob([importer(url.href)], { type: "text/javascript" });
  return new Worker(trusted(URL.createObjectURL(script)));
}

/** A caller's worker object can be used only once. */
const used = new WeakSet<object>();

function givenWorker(value: unknown): WorkerLike {
  const { postMessage, terminate } = (value ?? {}) as Partial<WorkerLike>;
  if (typeof postMessage !== "function" || typeof terminate !== "function")
    return refuse("worker", value, "a URL, a worker, or a function that makes one");
  const worker = value as WorkerLike;
  if (used.has(worker))
    return refuse("worker", value, "an unused worker, or a function that makes one");
  used.add(worker);
  return worker;
}

function started(beside: () => URL, given: unknown): { worker: WorkerLike; url?: URL } {
  const source: unknown =
    typeof given === "function" ? answerOf("worker", () => (given as () => unknown)()) : given;
  if (source !== undefined && !isAddress(source)) return { worker: givenWorker(source) };
  let url: URL | undefined;
  try {
    url = source === undefined ? beside() : resolveUrl("worker", source);
    if (typeof Worker === "function") return { worker: startWeb(url), url };
    // Options of the program itself, such as --eval, are not for its workers.
    return { worker: new (nodeWorkers()!.Worker)(url, { execArgv: [] }), url };
  } catch (cause) {
    if (cause instanceof WhereformerError) throw cause;
    throw new WhereformerError(
      "unsupported",
      `worker: ${url ? `${url.href} was refused` : "this script does not know its own address"}` +
        ` (${String(cause)}); pass worker, a URL or a function that makes a worker`,
      url ? { argument: "worker", url: url.href } : { argument: "worker" },
      cause,
    );
  }
}

/** The error for a worker that failed before its first message: browsers give no reason. */
const silent = (url: URL | undefined) =>
  new WhereformerError(
    "network",
    `${url ? url.href : "worker"}: the worker did not start; is its script there, and may this ` +
      "page start it (worker-src, and script-src where it comes from another origin)?",
    url ? { argument: "worker", url: url.href } : { argument: "worker" },
  );

/**
 * Starts a worker and listens to it. Errors: unsupported if there are no workers or the page may
 * not have any, invalid_argument if the value is not a worker; later, to the listener, network if
 * the script cannot be loaded, internal if it fails.
 */
export function startWorker<News>(
  beside: () => URL,
  given: WorkerSource | (() => WorkerSource) | undefined,
  listener: Listener<News>,
): WorkerLike {
  if (!hasWorkers())
    throw new WhereformerError("unsupported", "this JavaScript engine has no workers");
  const { worker, url } = started(beside, given);
  let hasSpoken = false;
  const hear = (news: News) => {
    hasSpoken = true;
    listener.message(news);
  };
  const fail = (reason: string | undefined) => {
    const isAbsent = /dynamically imported module|^Cannot find module/.test(reason ?? "");
    const isSilent = !hasSpoken && (!reason || isAbsent);
    const text = `the worker failed: ${reason ?? "it ended"}`;
    listener.error(isSilent ? silent(url) : new WhereformerError("internal", text));
  };
  const unread = "it sent an unreadable message";
  if ("on" in worker) {
    const node = worker as NodeWorker;
    node.on("message", hear);
    node.on("error", (error) => fail(error.message));
    node.on("messageerror", (error) => fail(error.message));
    node.on("exit", (code) => fail(`it ended with code ${code}`));
  } else {
    const web = worker as Worker;
    web.addEventListener("message", (event: MessageEvent<News>) => hear(event.data));
    web.addEventListener("error", (event) => fail(event.message));
    web.addEventListener("messageerror", () => fail(unread));
  }
  return worker;
}
