// The custom elements of the page as a part of the package: dist/elements. The engine and Lit stay
// imports, so that a page which uses either has them once.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { schemeWords } from "./scripts/build/scheme-words.mjs";
import { smallTemplates } from "./scripts/build/small-templates.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const engineFrom = (folder) => ({
  external: ["whereformer", "whereformer/worker", /^lit(?:\/|$)/],
  output: {
    paths: { whereformer: `${folder}index.js`, "whereformer/worker": `${folder}worker.js` },
  },
});

// Vite writes the worker's address as an expression; bundlers of other people's pages follow only
// the literal form.
function literalWorkerAddress() {
  const written =
    /new URL\(\s*(?:\/\*[^*]*\*\/)?\s*new URL\(("[^"]+"), import\.meta\.url\)\.href,\s*"" \+ import\.meta\.url\s*\)/g;
  return {
    name: "literal-worker-address",
    generateBundle(_, bundle) {
      const entry = bundle["index.js"];
      let count = 0;
      entry.code = entry.code.replace(written, (_match, name) => {
        count += 1;
        return `new URL("./${JSON.parse(name)}", import.meta.url)`;
      });
      if (count !== 1) this.error(`expected one worker in the elements, found ${count}`);
    },
  };
}

export default defineConfig({
  root: at("web"),
  base: "./",
  plugins: [literalWorkerAddress(), schemeWords(), smallTemplates()],
  build: {
    outDir: at("build/package/elements"),
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    assetsInlineLimit: 0,
    lib: { entry: at("web/elements.ts"), formats: ["es"], fileName: "index" },
    rolldownOptions: engineFrom("../"),
  },
  worker: { format: "es", rolldownOptions: engineFrom("../../") },
});
