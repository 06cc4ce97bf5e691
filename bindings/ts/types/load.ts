/** What loading an engine takes. */
export type Variant = "simd" | "relaxed";

export interface LoadOptions {
  /** Which binary. `auto` (default) takes relaxed SIMD where the engine has it, else plain SIMD. */
  variant?: "auto" | Variant;
  /**
   * Where the binary is, when it does not lie beside the package: its URL, its bytes, or the
   * compiled module.
   */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
  /** Cancels the download. */
  signal?: AbortSignal;
  /** Called while the binary downloads. `total` is 0 when the server does not say. */
  onProgress?: (loadedBytes: number, totalBytes: number) => void;
}
