/** Chooses the binary, finds it beside the package or where the caller says, and compiles it. */

import type { LoadOptions, Variant, WasmSource } from "../types/index.js";
import { checkOptions, choice, refuse } from "./arguments.js";
import { compileBinary, type Download, progressOf } from "./binary.js";
import { WhereformerError } from "./error.js";
import { canRun } from "./features.js";
import { signalOf, throwIfAborted } from "./signal.js";

/** Bundlers read these literals and put the binaries beside their output. */
const beside: Record<Variant, () => URL> = {
  simd: () => new URL("./simd.wasm", import.meta.url),
  relaxed: () => new URL("./relaxed.wasm", import.meta.url),
};

/** A compiled binary and its variant; workers are handed both. */
export interface Compiled {
  variant: Variant;
  module: WebAssembly.Module;
}

type Binaries = Partial<Record<Variant, WasmSource>>;

/** A binary for each variant; undefined for one alone, and for none. */
function binariesOf(wasm: LoadOptions["wasm"]): Binaries | undefined {
  if (!wasm || typeof wasm !== "object" || Object.getPrototypeOf(wasm) !== Object.prototype)
    return undefined;
  checkOptions("wasm", wasm, ["simd", "relaxed"]);
  return wasm as Binaries;
}

const mayBeRelaxed = (wasm: LoadOptions["wasm"]): boolean =>
  wasm === undefined || binariesOf(wasm)?.relaxed !== undefined;

/** The binary that will be taken. Errors: unsupported. */
export function chosenVariant(options: LoadOptions): Variant {
  const asked =
    options.variant === undefined
      ? "auto"
      : choice("variant", options.variant, ["auto", "simd", "relaxed"]);
  // A binary that was handed in is the plain one unless its variant is said.
  const variant =
    asked === "auto"
      ? mayBeRelaxed(options.wasm) && canRun("relaxed")
        ? "relaxed"
        : "simd"
      : asked;
  if (canRun(variant)) return variant;
  const needs = "Chrome 91, Firefox 89, Safari 16.4, Node 16.4";
  const message =
    variant === "simd"
      ? `variant: this engine has no WebAssembly SIMD; needed is at least ${needs}`
      : `variant: "relaxed" needs relaxed SIMD, which this engine lacks; allowed is "simd" or "auto"`;
  throw new WhereformerError("unsupported", message, { argument: "variant", value: variant });
}

/** The options of a load, checked. */
export function checkedDownload(options: LoadOptions): Download {
  checkOptions("options", options, ["variant", "wasm", "signal", "onProgress"]);
  return { signal: signalOf(options.signal), onProgress: progressOf(options.onProgress) };
}

/** Errors: unsupported, network, malformed_file, aborted. */
export async function compile(options: LoadOptions = {}): Promise<Compiled> {
  const download = checkedDownload(options);
  const variant = chosenVariant(options);
  throwIfAborted(download.signal);
  const binaries = binariesOf(options.wasm);
  const wasm = binaries ? binaries[variant] : (options.wasm as WasmSource | undefined);
  if (binaries && wasm === undefined)
    refuse(`wasm.${variant}`, wasm, "a URL, bytes, or a WebAssembly.Module");
  return { variant, module: await compileBinary(wasm, beside[variant], download) };
}
