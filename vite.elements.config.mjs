// The custom elements of the page as a part of the package: dist/elements.js has all of them,
// dist/elements-<figure>.js one. The engine and Lit stay imports, so that a page which uses either
// has them once; the script of their worker is one of those in rolldown.config.mjs.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { figures } from "./scripts/build/figures.mjs";
import { schemeWords } from "./scripts/build/scheme-words.mjs";
import { sharedAliases, sharedSources } from "./scripts/build/shared-sources.mjs";
import { smallTemplates } from "./scripts/build/small-templates.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// The page's worker is bundled with the page, the package's is a file beside it.
const packagedScript = {
  name: "packaged-script",
  enforce: "pre",
  resolveId: (source, importer) =>
    importer && /\.\/worker-script\.js$/.test(source)
      ? at("web/engine/page/packaged-script.ts")
      : null,
};

// Of Vite's ways with `new URL(…, import.meta.url)` none leaves it to the bundlers of other people,
// who follow only the literal form: it stands aside while Vite works.
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
    // What several files of the elements share is a file of its own, beside them.
    let count = 0;
    for (const chunk of Object.values(bundle).filter(({ type }) => type === "chunk"))
      chunk.code = chunk.code.replace(new RegExp(`"${stand}([^"]+)"`, "g"), (_match, name) => {
        count += 1;
        return `new URL("./${name}", import.meta.url)`;
      });
    if (count !== 3) this.error(`expected three addresses in the elements, found ${count}`);
  },
};

// Each figure by itself, and the colours.
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
    // The scripts of the engine are there already.
    emptyOutDir: false,
    target: "es2022",
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
        // What all figures use is one file; what comes later stays by itself.
        codeSplitting: { groups: [{ name: "common", test: isCommon }] },
        paths: {
          "whereformer/worker": "./worker.js",
          "whereformer/start-worker": "./start-worker.js",
        },
      },
    },
  },
});
