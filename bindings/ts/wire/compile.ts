/** Chooses the binary, locates it beside the package or at the caller's source, and compiles it. */

import type { LoadOptions, Variant, WasmSource } from "../types/index.js";
import { checkOptions, choice, refuse } from "./arguments.js";
import { checkSource, compileBinary, type Download, inParts, progressOf } from "./binary.js";
import { unexpected, WhereformerError } from "./error.js";
import { canRun } from "./features.js";
import { isPlain } from "./platform.js";
import { signalOf, throwIfAborted } from "./signal.js";

/** Bundlers recognise these literals and put the binaries beside their output. */
const beside: Record<Variant, () => URL> = {
  simd: () => new URL("./simd.wasm", import.meta.url),
  relaxed: () => new URL("./relaxed.wasm", import.meta.url),
};

const trainingBeside: Record<Variant, () => URL> = {
  simd: () => new URL("./simd-training.wasm", import.meta.url),
  relaxed: () => new URL("./relaxed-training.wasm", import.meta.url),
};

/** Compiled binaries and their variant, as passed to workers. */
export interface Compiled {
  variant: Variant;
  module: WebAssembly.Module;
  /** The training part, if it was requested. */
  training: WebAssembly.Module | undefined;
  /** In a worker: how many threads, and the address of their script. The binary is theirs. */
  threads?: { count: number; script: string };
}

type Binaries = Partial<Record<Variant, WasmSource>>;

/** One binary for each variant; undefined if the caller gave a single one, or none. */
function binariesOf(argument: string, wasm: LoadOptions["wasm"]): Binaries | undefined {
  if (!isPlain(wasm)) return undefined;
  checkOptions(argument, wasm, ["simd", "relaxed"]);
  return wasm as Binaries;
}

/** The caller's binary of a variant; undefined if it is the one beside the package. */
function sourceOf(argument: string, given: LoadOptions["wasm"], variant: Variant) {
  const binaries = binariesOf(argument, given);
  const source = binaries ? binaries[variant] : (given as WasmSource | undefined);
  if (binaries && source === undefined)
    refuse(`${argument}.${variant}`, source, "a URL, bytes, or a WebAssembly.Module");
  return source;
}

const mayBeRelaxed = (wasm: LoadOptions["wasm"]): boolean =>
  wasm === undefined || binariesOf("wasm", wasm)?.relaxed !== undefined;

/** The variant to load. Errors: unsupported. */
export function chosenVariant(options: LoadOptions): Variant {
  const asked =
    options.variant === undefined
      ? "auto"
      : choice("variant", options.variant, ["auto", "simd", "relaxed"]);
  // A caller's binary is the plain one unless `variant` differs.
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
      ? `this JavaScript engine has no WebAssembly SIMD; required are at least ${needs}`
      : unexpected(
          "variant",
          '"relaxed"',
          '"simd" or "auto", since this JavaScript engine has no relaxed SIMD',
        );
  throw new WhereformerError("unsupported", message, { argument: "variant", value: variant });
}

/** Checks the options of `load`. */
export function checkedDownload(options: LoadOptions): Download {
  checkOptions("options", options, ["variant", "wasm", "training", "signal", "onProgress"]);
  return { signal: signalOf(options.signal), onProgress: progressOf(options.onProgress) };
}

/** Whether the training part is requested. Errors: invalid_argument. */
export function wantsTraining({ training = false }: LoadOptions): boolean {
  if (typeof training === "boolean") return training;
  if (!binariesOf("training", training as LoadOptions["wasm"])) checkSource("training", training);
  return true;
}

/** Compiles the training part. Errors: network, malformed_file, aborted. */
export async function compileTraining(
  { training }: LoadOptions,
  variant: Variant,
  download: Download,
): Promise<WebAssembly.Module> {
  const given = training === true ? undefined : (training as LoadOptions["wasm"]);
  const source = sourceOf("training", given, variant);
  return compileBinary(source, trainingBeside[variant], download, "training");
}

/** Errors: unsupported, network, malformed_file, aborted. */
export async function compile(options: LoadOptions = {}): Promise<Compiled> {
  const download = checkedDownload(options);
  const variant = chosenVariant(options);
  throwIfAborted(download.signal);
  const wasm = sourceOf("wasm", options.wasm, variant);
  if (!wantsTraining(options))
    return {
      variant,
      module: await compileBinary(wasm, beside[variant], download),
      training: undefined,
    };
  const [first, second] = inParts(download);
  const [module, training] = await Promise.all([
    compileBinary(wasm, beside[variant], first),
    compileTraining(options, variant, second),
  ]);
  return { variant, module, training };
}
