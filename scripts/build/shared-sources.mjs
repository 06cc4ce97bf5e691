// Small files of the package that the page imports too, by names that are not entries of the
// package: its public interface stays as it is, and no code exists twice. tsconfig.json has these
// names for the compiler.

import { join } from "node:path";
import { root } from "../setup/ensure.mjs";

/** File by name. */
export const sharedSources = {
  ...Object.fromEntries(
    ["features", "requests", "words", "yield"].map((name) => [
      `whereformer/${name}`,
      join(root, `bindings/ts/wire/${name}.ts`),
    ]),
  ),
  // Compiled, since Emscripten's glue is beside the compiled modules only.
  "whereformer/first-engine": join(root, "build/modules/api/first-engine.js"),
};

/** Aliases of these names for Vite. */
export const sharedAliases = Object.entries(sharedSources).map(([find, replacement]) => ({
  find,
  replacement,
}));
