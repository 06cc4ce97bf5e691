// The page, dist-web/: web/ bundled against the package, and the trained models beside it.

import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { withLock } from "../setup/lock.mjs";
import { runOrFail } from "../setup/process.mjs";
import { buildIfChanged } from "./fingerprint.mjs";

const at = (...parts) => join(root, ...parts);
const modelFiles = ["config.json", "model.safetensors", "training.json"];

// What the page trains on.
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
    if (entry.name === "length") copyText(from, join(target, entry.name));
    if (!entry.isDirectory() || !existsSync(join(from, "model.safetensors"))) continue;
    mkdirSync(join(target, entry.name), { recursive: true });
    for (const file of modelFiles) cpSync(join(from, file), join(target, entry.name, file));
  }
}

/** Builds dist-web/ from web/, dist/ and models/; resolves to whether it had to. */
export function buildPage() {
  return withLock(at("build/page.lock"), "building the page", () =>
    buildIfChanged({
      root,
      name: "page",
      inputs: [
        "web",
        "dist",
        "models",
        "bindings/ts/generated",
        "vite.config.mjs",
        "scripts/build",
        "package-lock.json",
      ],
      outputs: ["dist-web/index.html"],
      build: async () => {
        const vite = at("node_modules/.bin/vite");
        await runOrFail(vite, ["build", "--logLevel", "warn"], { cwd: root });
        copyModels();
      },
    }),
  );
}
