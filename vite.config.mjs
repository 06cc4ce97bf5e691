// The page: built from web/ into dist-web/, against the package as it is published (dist/).

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { article } from "./scripts/build/article.mjs";
import { installable } from "./scripts/build/installable.mjs";
import { pageFonts } from "./scripts/build/page-fonts.mjs";
import { schemePages } from "./scripts/build/scheme-pages.mjs";
import { schemeWords } from "./scripts/build/scheme-words.mjs";
import { smallerScripts } from "./scripts/build/script-plugins.mjs";
import { sharedAliases } from "./scripts/build/shared-sources.mjs";
import { smallTemplates } from "./scripts/build/small-templates.mjs";
import { toolPages } from "./scripts/build/tool-pages.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at("web"),
  // Relative addresses: the built folder works under any path of any server.
  base: "./",
  plugins: [
    article(),
    pageFonts(),
    schemeWords(),
    installable(),
    toolPages(),
    schemePages(),
    smallTemplates(),
  ],
  resolve: {
    alias: [
      { find: /^whereformer$/, replacement: at("dist/index.js") },
      { find: /^whereformer\/worker$/, replacement: at("dist/worker.js") },
      ...sharedAliases,
    ],
  },
  build: {
    outDir: at("dist-web"),
    emptyOutDir: true,
    // Figures start with `await`.
    target: "es2022",
    // Licences of the libraries whose code is part of the built files.
    license: { fileName: "licences.txt" },
    // The content security policy allows no module and no binary from a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Subsetting the fonts takes most of a first build, as expected.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // The glue in the worker's script becomes smaller.
  worker: { format: "es", plugins: () => [smallerScripts] },
  // In development the dist folder is outside the root.
  server: { fs: { allow: [at(".")] } },
});
