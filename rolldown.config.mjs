// The package's scripts as they are downloaded: few files, without spaces and long names. What two
// entries import lies in a file of its own, so that a page which uses both has it once.

import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const variants = ["simd", "relaxed", "threads"];

// Bundlers of other people's pages follow addresses in plain quotes; the minifier writes backticks.
const literalAddresses = {
  name: "literal-addresses",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code = chunk.code.replace(/((?:new URL|import)\()`([^`$\\]*)`/g, '$1"$2"');
    }
  },
};

function bundle(names, extension, external) {
  return {
    input: Object.fromEntries(
      names.map((name) => [name, at(`build/modules/${name}.${extension}`)]),
    ),
    external,
    plugins: [literalAddresses],
    output: {
      dir: at("build/package"),
      format: "es",
      minify: true,
      entryFileNames: `[name].${extension}`,
      // Beside the entries: the scripts look for the binaries next to themselves.
      chunkFileNames: `[name].${extension}`,
    },
  };
}

export default defineConfig([
  bundle(
    ["index", "worker", "worker-host", "threads", "threads-host"],
    "js",
    variants.map((name) => at(`build/modules/${name}.mjs`)),
  ),
  // By themselves: a page loads one of them.
  ...variants.map((name) => bundle([name], "mjs", [])),
]);
