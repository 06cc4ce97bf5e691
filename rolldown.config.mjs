// The package's scripts for download: few files, minified. Code that two entries import is a
// separate file, so that a page that uses both loads it once.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { literalAddresses, smallerScripts } from "./scripts/build/script-plugins.mjs";
import { sharedSources } from "./scripts/build/shared-sources.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const modules = at("build/modules");

/** Returns a module and all its imports: separate files for a bundler, one file for a page. */
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
    // The map contains the sources, since the package does not ship them.
    sourcemap: true,
  },
};

// Modules of a page whose engine is in a worker.
const ofPages = withImports(join(modules, "worker.js"));

// Modules of both kinds of engine, which differ in their glue.
const ofEngine = withImports(
  join(modules, "api/engine.js"),
  withImports(join(modules, "wire/instantiate.js")),
);
// Modules that a page with its engine on the main thread, or without files to open, does not need.
const starts = (id) => /\/(?:start-worker|files\/dropped)\.js$/.test(id);

const entries = {
  ...settings,
  external: ["@huggingface/tokenizers", "@huggingface/jinja"],
  input: Object.fromEntries(
    ["index", "worker", "threads", "tokenizer", "chat", "wire/start-worker"].map((file) => [
      basename(file),
      join(modules, `${file}.js`),
    ]),
  ),
  output: {
    ...settings.output,
    format: "es",
    // Beside the entries, since the scripts load the binaries from their own folder.
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

// Scripts of workers import nothing and contain no address, as modules and as classic scripts: a
// copy of the file works with any bundler and server.
const host = (name, input) => ({
  // Uses the names of the sources, not those of tsconfig.json.
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
