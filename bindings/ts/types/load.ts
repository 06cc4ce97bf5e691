/** What loading an engine takes. */
export type Variant = "simd" | "relaxed";

/** A WebAssembly.Module, where a program's types know WebAssembly: those of Node alone do not. */
export type CompiledModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;

/** A binary: its URL, its bytes, or the compiled module. */
export type WasmSource = string | URL | ArrayBufferLike | ArrayBufferView | CompiledModule;

/** A worker of the web, or of `node:worker_threads`. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

/** Where a worker's script is, or a worker that runs it. */
export type WorkerSource = string | URL | WorkerLike;

export interface LoadOptions {
  /** Which binary. `auto` (default) takes relaxed SIMD where the engine has it, else plain SIMD. */
  variant?: "auto" | Variant;
  /**
   * Where the binary is, when it does not lie beside the package: its URL, its bytes, or the
   * compiled module (of plain SIMD, unless `variant` says otherwise); or both binaries, of which
   * `variant` takes one.
   */
  wasm?: WasmSource | { simd?: WasmSource; relaxed?: WasmSource };
  /**
   * Whether `wf.trainer` will be called: what only training needs is a part of its own. True
   * fetches it from beside the package; or where it is, as for `wasm`. Default: false.
   */
  training?: boolean | WasmSource | { simd?: WasmSource; relaxed?: WasmSource };
  /** Cancels the download. */
  signal?: AbortSignal;
  /** Called while the binary downloads. `total` is 0 when the server does not say. */
  onProgress?: (loadedBytes: number, totalBytes: number) => void;
}
