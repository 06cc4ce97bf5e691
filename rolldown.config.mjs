// The package's scripts as they are downloaded: few files, without spaces and long names. What two
// entries import lies in a file of its own, so that a page which uses both has it once.

import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { minify } from "terser";

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

// Emscripten's glue stays a file of its own, beside the scripts.
const glueBeside = {
  name: "glue-beside",
  resolveId(source, importer) {
    const [, name] = /([^/]*)\.mjs$/.exec(source) ?? [];
    return importer && variants.includes(name) ? { id: `./${name}.mjs`, external: true } : null;
  },
};

// What becomes needless only once something else is gone, in Emscripten's glue above all: Terser
// looks more than once.
const smallerScripts = {
  name: "smaller-scripts",
  async renderChunk(code) {
    const options = { module: true, ecma: 2022, compress: { passes: 3, ecma: 2022 } };
    return { code: (await minify(code, options)).code, map: null };
  },
};

/** `inputs`: what a file of the package is made of, by its name. */
function bundle(inputs, extension) {
  return {
    input: Object.fromEntries(
      Object.entries(inputs).map(([name, file]) => [name, at(`build/modules/${file}`)]),
    ),
    plugins: [glueBeside, smallerScripts, literalAddresses],
    output: {
      dir: at("build/package"),
      format: "es",
      minify: true,
      entryFileNames: `[name].${extension}`,
      // Beside the entries: the scripts look for the binaries next to themselves.
      chunkFileNames: `[name].${extension}`,
      advancedChunks: { groups: [{ name: "core", test: /build.modules/, minShareCount: 2 }] },
    },
  };
}

export default defineConfig([
  bundle(
    {
      index: "index.js",
      worker: "worker.js",
      "worker-host": "worker/host.js",
      threads: "threads.js",
      "threads-host": "threads/host.js",
    },
    "js",
  ),
  // By themselves: a page loads one of them.
  ...variants.map((name) => bundle({ [name]: `wire/${name}.mjs` }, "mjs")),
]);
