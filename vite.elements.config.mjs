// The page's custom elements as a part of the package: dist/elements.js has all of them,
// dist/elements-<figure>.js one each. The engine and Lit stay imports, so that a page that uses
// them loads each once; the script of the elements' worker is built by rolldown.config.mjs.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { figures } from "./scripts/build/figures.mjs";
import { schemeWords } from "./scripts/build/scheme-words.mjs";
import { sharedAliases, sharedSources } from "./scripts/build/shared-sources.mjs";
import { smallTemplates } from "./scripts/build/small-templates.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// The page's worker is bundled with the page; the package's is a file beside the script.
const packagedScript = {
  name: "packaged-script",
  enforce: "pre",
  resolveId: (source, importer) =>
    importer && /\.\/worker-script\.js$/.test(source)
      ? at("web/engine/page/packaged-script.ts")
      : null,
};

// Vite rewrites `new URL(…, import.meta.url)`, but other bundlers follow only this literal form: a
// placeholder replaces it while Vite works.
const stand = "whereformer-address:";
const literalAddresses = {
  name: "literal-addresses",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("packaged-script.ts")
      ? {
          code: code.replace(/new URL\("\.\/([^"]+)", import\.meta\.url\)/g, `"${stand}$1"`),
          map: null,
        }
      : null,
  generateBundle(_, bundle) {
    // Code that several files of the elements share is a separate file beside them.
    let count = 0;
    for (const chunk of Object.values(bundle).filter(({ type }) => type === "chunk"))
      chunk.code = chunk.code.replace(new RegExp(`"${stand}([^"]+)"`, "g"), (_match, name) => {
        count += 1;
        return `new URL("./${name}", import.meta.url)`;
      });
    if (count !== 3) this.error(`expected three addresses in the elements, found ${count}`);
  },
};

// Each figure alone, and the colours.
const single = "single-figure:";
const files = Object.fromEntries(figures.map(({ tag, file }) => [tag.slice(3), file]));
const singleFigures = {
  name: "single-figures",
  resolveId: (source) => (source.startsWith(single) ? source : null),
  load: (id) =>
    id.startsWith(single)
      ? ["web/host-tokens.ts", files[id.slice(single.length)]]
          .map((path) => `import ${JSON.stringify(at(path))};`)
          .join("\n")
      : null,
};
const entries = Object.fromEntries(
  Object.keys(files).map((name) => [`elements-${name}`, `${single}${name}`]),
);

const apart = /\/web\/elements\.ts$|\/(?:export|remote)\.ts$/;
const isCommon = (id) =>
  Object.values(sharedSources).includes(id) ||
  (id.startsWith(at("web/")) && !/\/figures\/(?!shared\/)/.test(id) && !apart.test(id));

export default defineConfig({
  root: at("web"),
  base: "./",
  publicDir: false,
  plugins: [singleFigures, packagedScript, literalAddresses, schemeWords(), smallTemplates()],
  resolve: { alias: sharedAliases },
  build: {
    outDir: at("build/package"),
    // The folder already contains the scripts of the engine.
    emptyOutDir: false,
    target: "es2022",
    // Licences of the libraries whose code is part of the built files.
    license: { fileName: "elements-licences.txt" },
    minify: false,
    sourcemap: true,
    assetsInlineLimit: 0,
    lib: {
      entry: at("web/elements.ts"),
      formats: ["es"],
      fileName: (_format, name) => `${name}.js`,
    },
    rolldownOptions: {
      input: { elements: at("web/elements.ts"), ...entries },
      external: ["whereformer/worker", "whereformer/start-worker", /^lit(?:\/|$)/],
      output: {
        chunkFileNames: ({ name, moduleIds }) => {
          const figure = moduleIds.map((id) => /\/([\w-]+)\/element\.ts$/.exec(id)?.[1]);
          return `elements-shared-${figure.find(Boolean) ?? name.replace(/^_virtual_/, "")}.js`;
        },
        // Code that all figures use is one file; code that is loaded later stays separate.
        codeSplitting: { groups: [{ name: "common", test: isCommon }] },
        paths: {
          "whereformer/worker": "./worker.js",
          "whereformer/start-worker": "./start-worker.js",
        },
      },
    },
  },
});
