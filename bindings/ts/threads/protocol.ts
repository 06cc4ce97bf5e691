/** Messages between the first thread and a worker of the pool. */
export interface WorkerStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Indices into the table of functions; see bindings/embind/thread_pool.h. */
  begin: number;
  serve: number;
  fail: number;
  /** Index of the worker, from 0. */
  worker: number;
  /** Addresses of the worker's scratch memory. */
  block: number;
  stackTop: number;
}

export type WorkerNews = "ready" | { failed: string };
