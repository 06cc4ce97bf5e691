// Writes the whole site, dist-site/: the article with the pages of the schemes, the reference with
// the guides, the elements, the examples, and the vectors for other implementations. All its
// addresses are relative, so the folder works below any path of any static server:
//   node scripts/build/site.mjs

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../build.mjs";
import { ensure, root } from "../setup/ensure.mjs";
import { runMain, runOrFail } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { writeConformance } from "./conformance.mjs";
import { elementsPage, elementsStyle } from "./elements/page.mjs";
import { examplesPage } from "./examples-page.mjs";
import { notebookPage } from "./notebook/page.mjs";

const at = (...parts) => join(root, ...parts);

/** Examples without a build step run on the site: the files each needs beside its page. */
const live = [
  { name: "html", from: "dist", to: "whereformer/dist" },
  { name: "slides", from: "dist/standalone-inline.js", to: "standalone-inline.js" },
];

function copyExamples(folder) {
  cpSync(at("examples"), folder, {
    recursive: true,
    filter: (path) => !["node_modules", "dist", ".next"].includes(basename(path)),
  });
  for (const { name, from, to } of live)
    cpSync(at(from), join(folder, name, to), { recursive: true });
  const names = live.map(({ name }) => name);
  writeFileSync(join(folder, "index.html"), examplesPage(at("examples"), names));
}

// Each element live, with its entry in custom-elements.json.
function writeElements(folder) {
  const manifest = JSON.parse(readFileSync(at("dist/custom-elements.json"), "utf8"));
  for (const [language, path] of [
    ["en", "elements"],
    ["zh", "zh/elements"],
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "index.html"), elementsPage(manifest, language));
  }
  writeFileSync(join(folder, "elements/elements.css"), elementsStyle);
}

// How figures are shown from Python.
function writeNotebookPages(folder) {
  for (const [language, path] of [
    ["en", "notebook"],
    ["zh", "zh/notebook"],
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "index.html"), notebookPage(language));
  }
}

// The reference and the guides, from the types and from docs.
async function writeReference(folder) {
  const typedoc = at("node_modules/.bin/typedoc");
  await runOrFail(typedoc, ["--out", folder, "--logLevel", "Warn"], { cwd: root });
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".html")) continue;
    const page = join(folder, name);
    const top = "../".repeat(name.split(sep).length);
    // Links in the head of every page are defined once (typedoc.json); the guides link to a folder
    // of the repository, which is a page here.
    const html = readFileSync(page, "utf8")
      .replaceAll('"site:', `"${top}`)
      .replaceAll(/(?:\.\.\/)?media\/examples/g, `${top}examples/index.html`);
    writeFileSync(page, html);
  }
}

/** Assembles the site from all that is built. */
export async function writeSite(folder = at("dist-site")) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(at("dist-web")))
    cpSync(at("dist-web", name), join(folder, name), { recursive: true });
  copyExamples(join(folder, "examples"));
  writeElements(folder);
  writeNotebookPages(folder);
  await writeReference(join(folder, "reference"));
  writeConformance(join(folder, "conformance"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const names = ["wasm", "package", "web"];
    await build(names, await ensure({ groups: ["build"], emscripten: true }));
    await writeSite();
    say("dist-site: the article, the schemes, elements, reference, examples, vectors");
  });
}
