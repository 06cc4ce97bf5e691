// The package's scripts as they are downloaded: few files, without spaces and long names. What two
// entries import lies in a file of its own, so that a page which uses both has it once.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { literalAddresses, smallerScripts } from "./scripts/build/script-plugins.mjs";
import { sharedSources } from "./scripts/build/shared-sources.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const modules = at("build/modules");

/** A module and all that it imports, which are many files to a bundler and one to a page. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/\bfrom\s*"(\.[^"]+)"/g))
    withImports(join(dirname(file), name), found);
  return found;
}

const settings = {
  plugins: [smallerScripts, literalAddresses],
  output: {
    dir: at("build/package"),
    minify: true,
    entryFileNames: "[name].js",
    // With the sources inside: the package has none beside them.
    sourcemap: true,
  },
};

// A page whose engine lives in a worker needs little of it on its own side.
const ofPages = withImports(join(modules, "worker.js"));

// What both kinds of engine are made of. The glue is another for each.
const ofEngine = withImports(
  join(modules, "api/engine.js"),
  withImports(join(modules, "wire/instantiate.js")),
);
// Whoever has the engine on the page starts no worker, and who opens no files needs none of these.
const starts = (id) => /\/(?:start-worker|files\/dropped)\.js$/.test(id);

const entries = {
  ...settings,
  external: ["@huggingface/tokenizers"],
  input: Object.fromEntries(
    ["index", "worker", "threads", "tokenizer", "wire/start-worker"].map((file) => [
      basename(file),
      join(modules, `${file}.js`),
    ]),
  ),
  output: {
    ...settings.output,
    format: "es",
    // Beside the entries: the scripts look for the binaries next to themselves.
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        { name: "threads-glue", test: /threads\.mjs$/, priority: 3 },
        {
          name: "base",
          test: (id) => ofPages.has(id) && !starts(id),
          minShareCount: 2,
          priority: 2,
        },
        { name: "core", test: (id) => ofEngine.has(id), minShareCount: 2, priority: 1 },
      ],
    },
  },
};

// Scripts of workers import nothing and know no address, as modules or not: a copy of the file is
// all that it takes, whatever bundler or server has made it.
const host = (name, input) => ({
  // Its names are those of the sources.
  tsconfig: false,
  ...settings,
  input: { [name]: input },
  resolve: { alias: { ...sharedSources, whereformer: join(modules, "index.js") } },
  transform: { define: { "import.meta.url": '""' } },
  output: { ...settings.output, format: "iife", codeSplitting: false },
});

export default defineConfig([
  entries,
  host("worker-host", join(modules, "worker/host.js")),
  host("threads-host", join(modules, "threads/host.js")),
  host("elements-host", at("web/engine/worker/worker.ts")),
]);
