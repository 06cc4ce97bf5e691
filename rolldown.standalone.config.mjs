// The whole package in one file, from its modules and its elements, which are built before:
// standalone.js, a module beside the binaries, and standalone-inline.js, a classic script that
// contains the plain binary and the scripts of workers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { asciiOnly, literalAddresses } from "./scripts/build/script-plugins.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = at("build/package");
const modules = at("build/modules");

const entry = {
  name: "entry",
  resolveId: (source) => (source === "standalone" ? "\0standalone" : null),
  load: (id) =>
    id === "\0standalone"
      ? `export * from ${JSON.stringify(join(modules, "standalone.js"))};
         import ${JSON.stringify(join(built, "elements.js"))};`
      : null,
};

const isElements = (id) => id.startsWith(join(built, "elements"));

// The elements import the engine's bundled scripts; here they import the modules instead.
const oneEngine = {
  name: "one-engine",
  resolveId(source, importer) {
    if (!importer?.startsWith(built)) return null;
    if (source === "./worker.js") return join(modules, "worker.js");
    return source === "./start-worker.js" ? join(modules, "wire/start-worker.js") : null;
  },
  // Code that is loaded later elsewhere is included at once: the bundler would make a second file.
  // The editor of formulas is left out: a quarter of this file, and a text area takes its place.
  transform(code, id) {
    if (!isElements(id)) return null;
    const later = /await import\("\.\/elements-shared-remote\.js"\)/;
    const editor = /await import\("\.\/elements-shared-formula-editor\.js"\)/;
    if (editor.test(code)) return code.replace(editor, "await Promise.resolve(undefined)");
    if (!later.test(code)) return null;
    return `import * as remoteEngine from "./worker.js";\n${code.replace(later, "remoteEngine")}`;
  },
};

const oneFile = {
  name: "one-file",
  generateBundle(_, bundle) {
    const names = Object.keys(bundle);
    if (names.length !== 1) this.error(`one file was to come, and there are ${names.join(", ")}`);
  },
};

const addressPattern = /new URL\("\.\/([^"]+)", import\.meta\.url\)/g;
const within = ["simd.wasm", "simd-training.wasm", "worker-host.js", "elements-host.js"];

/** Embeds files as text in a script; a page that uses one makes an address for it. */
function ownFiles() {
  const contents = within.map((name) => {
    const bytes = readFileSync(join(built, name));
    // The page has no source map beside it, so the reference is removed.
    const text = () => String(bytes).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
    return [name, name.endsWith(".wasm") ? bytes.toString("base64") : text()];
  });
  return `const contents = ${JSON.stringify(Object.fromEntries(contents))};
    const addresses = {};
    // A binary is asked for by workers too, which may not see what the page has made.
    const address = (name) => name.endsWith(".wasm")
      ? "data:application/wasm;base64," + contents[name]
      : URL.createObjectURL(new Blob([contents[name]], { type: "text/javascript" }));
    export const own = (name) => (addresses[name] ??= new URL(address(name)));`;
}

const inlined = {
  name: "inlined",
  resolveId: (source) => (source === "own-files" ? "\0own-files" : null),
  load: (id) => (id === "\0own-files" ? ownFiles() : null),
  transform(code, id) {
    if (id.endsWith("/wire/built.js"))
      return "export const hasRelaxed = false;\nexport const hasThreads = false;\n";
    const own = code
      .replace(/,\s*relaxed: new URL\("\.\/relaxed\.wasm", import\.meta\.url\)\.href/, "")
      .replace(addressPattern, (_, name) => `own(${JSON.stringify(name)})`);
    return own === code ? null : `import { own } from "own-files";\n${own}`;
  },
  generateBundle(_, bundle) {
    for (const { code } of Object.values(bundle))
      if (code.includes("import.meta")) this.error("an inline script asks for its own address");
  },
};

const standalone = (name, plugins, output) => ({
  input: { [name]: "standalone" },
  plugins: [entry, oneEngine, ...plugins, literalAddresses, oneFile],
  // Importing the elements defines them: package.json states this side effect only for their final
  // paths.
  treeshake: { moduleSideEffects: (id) => isElements(id) || undefined },
  output: {
    dir: built,
    entryFileNames: "[name].js",
    minify: true,
    codeSplitting: false,
    ...output,
  },
});

export default defineConfig([
  standalone("standalone", [], { format: "es" }),
  standalone("standalone-inline", [inlined, asciiOnly], { format: "iife", name: "whereformer" }),
]);
