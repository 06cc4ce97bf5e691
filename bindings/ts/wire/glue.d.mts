/** Emscripten's glue of both binaries for one thread, made by the build. */
import type { RawModule } from "./core.js";

interface GlueOptions {
  /** Instantiates the module that our loader compiled, and hands the instance over. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): object;
}

declare const makeEngine: (options: GlueOptions) => Promise<RawModule>;
export default makeEngine;
