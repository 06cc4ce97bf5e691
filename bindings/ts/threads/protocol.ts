/** What the first thread says to a worker of the pool, and what it hears. */
export interface WorkerStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Places in the table of functions; see bindings/embind/thread_pool.h. */
  begin: number;
  serve: number;
  fail: number;
  /** Its number, from 0. */
  worker: number;
  /** Addresses of the worker's own memory. */
  block: number;
  stackTop: number;
}

export type WorkerNews = "ready" | { failed: string };
