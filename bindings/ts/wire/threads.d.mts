/** Emscripten's glue of the `threads` binary, made by the build. */
import type { RawModule } from "./core.js";

interface GlueOptions {
  /** Instantiates the module that our loader compiled, and hands the instance over. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): object;
  /** The memory to share; the first instance makes one. */
  wasmMemory?: WebAssembly.Memory;
}

declare const makeEngine: (options: GlueOptions) => Promise<RawModule>;
export default makeEngine;
