// A host page outside the project, with the packaged elements, bundled by its own bundler.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the pages, `{ name: [html, script] }` and other files, and returns their folder. */
export async function buildHost(name, pages, files = {}) {
  const source = `${root}build/${name}`;
  const built = `${source}-built`;
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  for (const [page, [html, script]] of Object.entries(pages)) {
    writeFileSync(`${source}/${page}.html`, html);
    writeFileSync(`${source}/${page}.js`, script);
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(`${source}/${file}`, text);
  await build({
    root: source,
    configFile: false,
    logLevel: "error",
    base: "./",
    build: {
      outDir: built,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: "es2022",
      rolldownOptions: { input: Object.keys(pages).map((page) => `${source}/${page}.html`) },
    },
    resolve: {
      alias: [
        { find: /^whereformer\/elements$/, replacement: `${root}dist/elements.js` },
        { find: /^whereformer\/elements\/(.+)$/, replacement: `${root}dist/elements-$1.js` },
      ],
    },
  });
  return built;
}

/** Returns the head of a page with a script of the same name. */
export const headOf = (name, language = "en", more = "") =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><link rel="icon" href="data:,">
<title>host</title>${more}<script type="module" src="./${name}.js"></script>`;
