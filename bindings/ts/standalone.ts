/**
 * `whereformer/standalone`: all of the package in one file, Lit within, for pages that nobody
 * builds. Importing it defines the elements too. The binaries and the scripts of workers are files
 * beside it; in `whereformer/standalone-inline`, a classic script, they are within as well.
 */
export * from "./index.js";
export { load as loadThreads, type ThreadedEngine, type ThreadsLoadOptions } from "./threads.js";
export { load as loadWorker, type RemoteEngine, type WorkerLoadOptions } from "./worker.js";
