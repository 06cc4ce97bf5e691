// Writes the folder of the Python package, dist-python/, of which pip makes a wheel: the sources in
// python/, the elements as one script, the program that draws them without a browser, a class for
// each element, and the vectors of conformance:
//   node scripts/build/python-package.mjs
//   pip wheel --no-deps ./dist-python

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { root } from "../setup/ensure.mjs";
import { runMain } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { writeConformance } from "./conformance.mjs";
import { figures } from "./figures.mjs";
import { addressOf } from "./npm-package.mjs";
import { elementsModule } from "./python/elements.mjs";
import { schemeWords } from "./scheme-words.mjs";
import { sharedAliases } from "./shared-sources.mjs";
import { smallTemplates } from "./small-templates.mjs";

const at = (...parts) => join(root, ...parts);
const read = (name) => readFileSync(at(name), "utf8");

/** Files of the npm package with which Node runs the engine. */
const engineFiles = [
  "index",
  "load",
  "base",
  "core",
  "dropped",
  "families",
  "json-file",
  "pictures",
  "rolldown-runtime",
].map((name) => `${name}.js`);

/** The engine stays beside the program; there is no worker. */
const inOneThread = {
  name: "in-one-thread",
  enforce: "pre",
  resolveId(source) {
    if (/^whereformer(?:\/worker)?$/.test(source))
      return { id: "./engine/index.js", external: true };
    // package.json says of files here that they have no effects.
    if (source === "./node-page.mjs")
      return { id: at("scripts/build/python/node-page.mjs"), moduleSideEffects: true };
    return /\/worker-script\.js$/.test(source)
      ? at("scripts/build/python/worker-script.mjs")
      : null;
  },
};

async function writeStill(folder) {
  await build({
    root: at("web"),
    configFile: false,
    logLevel: "error",
    publicDir: false,
    plugins: [inOneThread, schemeWords(), smallTemplates()],
    resolve: { alias: sharedAliases },
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: at("scripts/build/python/still.mjs"),
      outDir: folder,
      emptyOutDir: true,
      minify: true,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "still.mjs", codeSplitting: false } },
    },
  });
  mkdirSync(join(folder, "engine"));
  for (const name of [...engineFiles, "simd.wasm"]) {
    const text = readFileSync(at("dist", name));
    const isScript = name.endsWith(".js");
    // A map beside the file is not in the package.
    const short = isScript ? String(text).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n") : text;
    writeFileSync(join(folder, "engine", name), short);
  }
  writeFileSync(join(folder, "engine/package.json"), '{ "type": "module" }\n');
}

/** The README for an index of packages, whose links lead to the repository. */
const withFullLinks = (text, address) =>
  text.replace(/\]\((?!https?:|#)([^)]+)\)/g, (_, target) => {
    const path = join("python", target);
    return `](${address}/blob/HEAD/${path})`;
  });

/** Writes the folder. */
export async function writePythonPackage(folder = at("dist-python")) {
  const manifest = JSON.parse(read("package.json"));
  rmSync(folder, { recursive: true, force: true });
  cpSync(at("python"), folder, {
    recursive: true,
    filter: (path) => !/__pycache__|\.ipynb_checkpoints/.test(path),
  });
  const moduleFolder = join(folder, "src/whereformer");
  const address = addressOf(manifest);
  const readme = join(folder, "README.md");
  writeFileSync(readme, withFullLinks(readFileSync(readme, "utf8"), address));
  const project = join(folder, "pyproject.toml");
  const urls = `\n[project.urls]\nHomepage = "${manifest.homepage}"\nRepository = "${address}"\n`;
  const text = readFileSync(project, "utf8");
  writeFileSync(project, text.replace("\n[tool.hatch.version]", `${urls}\n[tool.hatch.version]`));
  writeFileSync(
    join(moduleFolder, "_version.py"),
    `"""The version."""\n\n__version__ = "${manifest.version}"\n`,
  );
  const elements = elementsModule(
    JSON.parse(read("dist/custom-elements.json")),
    figures.filter(({ still }) => still !== "none").map(({ tag }) => tag),
  );
  writeFileSync(join(moduleFolder, "elements.py"), elements);
  writeFileSync(join(moduleFolder, "py.typed"), "");
  const script = readFileSync(at("dist/standalone-inline.js"));
  writeFileSync(join(moduleFolder, "static/elements.js.gz"), gzipSync(script, { level: 9 }));
  await writeStill(join(moduleFolder, "static/still"));
  const conformance = at("build/python-conformance");
  writeConformance(conformance);
  cpSync(join(conformance, "vectors"), join(moduleFolder, "vectors"), { recursive: true });
  cpSync(at("LICENSE"), join(folder, "LICENSE"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    await writePythonPackage();
    say("dist-python: what `pip install ./dist-python` and `pip wheel ./dist-python` read");
  });
}
