// Builds the page, dist-web/: web/ bundled with the package, and the trained models beside it.

import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { withLock } from "../setup/lock.mjs";
import { relaxedSimdFlags, runOrFail } from "../setup/process.mjs";
import { hasHeads, readRecipe, trainedSchemes } from "../train/recipe.mjs";
import { buildIfChanged } from "./fingerprint.mjs";
import { addStills } from "./stills/stills.mjs";

const at = (...parts) => join(root, ...parts);
const modelFiles = ["config.json", "model.safetensors", "training.json"];
// Optional files of a model beside its weights, and results of experiments: index.json tells pages
// which exist.
const headsFile = "heads.json";
const experiments = ["length", "extension", "longrope", "image", "probes"];
// Texts that the page trains on, and those it reads after a surgery on a model.
const textFolders = ["length", "heldout"];

function copyText(from, target) {
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(from))
    if (file.endsWith(".txt")) cpSync(join(from, file), join(target, file));
}

// Weights and tokenizer are served from the page's own origin.
function copyModels() {
  const target = at("dist-web/models");
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(at("models"), { withFileTypes: true })) {
    const from = at("models", entry.name);
    if (/^tokenizer.*\.json$/.test(entry.name)) cpSync(from, join(target, entry.name));
    if (textFolders.includes(entry.name)) copyText(from, join(target, entry.name));
    if (!entry.isDirectory() || !existsSync(join(from, "model.safetensors"))) continue;
    mkdirSync(join(target, entry.name), { recursive: true });
    for (const file of modelFiles) cpSync(join(from, file), join(target, entry.name, file));
    if (hasHeads(from)) cpSync(join(from, headsFile), join(target, entry.name, headsFile));
  }
  copyPictureModels(target);
  cpSync(at("models/pictures"), join(target, "pictures"), { recursive: true });
  writeIndex(target);
}

// The models of schemes that are trained only on pictures.
function copyPictureModels(target) {
  for (const id of pictureSchemes()) {
    mkdirSync(join(target, "image", id), { recursive: true });
    for (const file of ["config.json", "model.safetensors"])
      cpSync(at("models/image", id, file), join(target, "image", id, file));
  }
}

function pictureSchemes() {
  const { schemes, image } = readRecipe();
  return Object.keys(image.schemes).filter((id) => !(id in schemes));
}

// Lists the files that exist, so that a page requests no missing one: models in the recipe's order,
// those whose heads were measured, and the experiments that have a result.
function writeIndex(target) {
  const schemes = trainedSchemes(readRecipe());
  const heads = schemes.filter((id) => hasHeads(at("models", id)));
  const done = experiments.filter((name) => existsSync(at("models", `${name}.json`)));
  for (const name of done) cpSync(at("models", `${name}.json`), join(target, `${name}.json`));
  const index = { schemes, heads, experiments: [...done, "portraits"] };
  writeFileSync(join(target, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
}

/**
 * Builds the reduced engines for the first figures. They have fewer inputs than the page, which
 * changes more often.
 */
function buildFirstEngines(env) {
  const singleThreaded = ["simd", "relaxed"];
  return buildIfChanged({
    root,
    name: "first-engine",
    inputs: [
      ...singleThreaded.map((variant) => `dist/${variant}.wasm`),
      ...singleThreaded.map((variant) => `build/${variant}/first.wasm`),
      "build/modules",
      ...["first-questions.ts", "untrained-models.ts"].map((file) => `web/engine/worker/${file}`),
      "web/defaults.ts",
      "web/engine/both",
      ...["first-engine.mjs", "binaryen.mjs"].map((file) => `scripts/build/${file}`),
    ],
    outputs: singleThreaded.map((variant) => `build/first-engine/${variant}.wasm`),
    build: () =>
      Promise.all(
        singleThreaded.map((variant) =>
          runOrFail(
            process.execPath,
            [...relaxedSimdFlags(), at("scripts/build/first-engine.mjs"), variant],
            { cwd: root, env },
          ),
        ),
      ),
  });
}

/**
 * Builds dist-web/ from web/, dist/ and models/; resolves to whether it was built. Binaryen is that
 * of the toolchain of `ensureEmscripten`.
 */
export function buildPage(toolchain) {
  return withLock(at("build/page.lock"), "building the page", () =>
    buildIfChanged({
      root,
      name: "page",
      inputs: [
        "web",
        "dist",
        "models",
        "bindings/ts/generated",
        "bindings/ts/wire",
        "build/modules",
        "vite.config.mjs",
        "scripts/build",
        "docs/code",
        "package-lock.json",
      ],
      outputs: ["dist-web/index.html"],
      build: async () => {
        await buildFirstEngines(toolchain.env);
        const vite = at("node_modules/.bin/vite");
        await runOrFail(vite, ["build", "--logLevel", "warn"], { cwd: root });
        copyModels();
        await runOrFail(
          process.execPath,
          [at("scripts/build/trained-portraits.mjs"), at("dist-web/models")],
          { cwd: root },
        );
        await addStills(at("dist-web"));
        // Last, since it lists all other files.
        await runOrFail(process.execPath, [at("scripts/build/offline.mjs"), at("dist-web")], {
          cwd: root,
        });
      },
    }),
  );
}
