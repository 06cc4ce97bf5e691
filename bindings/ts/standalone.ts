/**
 * `whereformer/standalone`: the whole package in one file, including Lit, for pages without a build
 * step. Importing it defines the elements too. The binaries and the scripts of workers are files
 * beside it; `whereformer/standalone-inline`, a classic script, contains them as well.
 */
export * from "./index.js";
export { load as loadThreads, type ThreadedEngine, type ThreadsLoadOptions } from "./threads.js";
export { load as loadWorker, type RemoteEngine, type WorkerLoadOptions } from "./worker.js";
