/** Options for loading an engine. */
export type Variant = "simd" | "relaxed";

/** A WebAssembly.Module, if a program's types include WebAssembly: those of Node alone do not. */
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

/** The URL of a worker's script, or a worker that runs it. */
export type WorkerSource = string | URL | WorkerLike;

export interface LoadOptions {
  /**
   * Which binary. `auto` (default) is relaxed SIMD if the JavaScript engine has it, else plain
   * SIMD.
   */
  variant?: "auto" | Variant;
  /**
   * The binary, if it is not beside the package: its URL, its bytes, or the compiled module (of
   * plain SIMD, unless `variant` differs); or both binaries, of which `variant` selects one.
   */
  wasm?: WasmSource | { simd?: WasmSource; relaxed?: WasmSource };
  /**
   * Whether to load the training part, which `wf.trainer` needs. True fetches it from beside the
   * package; otherwise its source, as for `wasm`. Default: false.
   */
  training?: boolean | WasmSource | { simd?: WasmSource; relaxed?: WasmSource };
  /** Cancels the download. */
  signal?: AbortSignal;
  /** Called while the binary downloads. `total` is 0 if the server does not send it. */
  onProgress?: (loadedBytes: number, totalBytes: number) => void;
}
