/** Instantiates a compiled binary with its glue. */
import type { RawModule } from "./core.js";
import { WhereformerError } from "./error.js";
import type makeEngine from "./glue.mjs";
import { isError } from "./platform.js";
import type { TrainingPart } from "./training-part.js";

/** Errors: out_of_memory; malformed_file if glue and binary are of different builds. */
export function instantiate(
  make: typeof makeEngine,
  module: WebAssembly.Module,
  name: string,
  training?: TrainingPart,
): Promise<RawModule> {
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown) =>
      reject(
        isError(cause, "RangeError")
          ? new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause)
          : new WhereformerError(
              "malformed_file",
              `wasm: not the ${name} binary of this version (${String(cause)})`,
              {},
              cause,
            ),
      );
    make({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, { ...imports, ...training?.imports })
          .then((instance) => {
            training?.belongsTo(instance.exports);
            receive(instance);
          })
          .catch(refused);
        return {};
      },
    }).then(resolve, refused);
  });
}
