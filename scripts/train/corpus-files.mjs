// The corpus made by scripts/corpus.mjs: its folder, its hashes, and a function that makes it if it
// is missing.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { SetupError } from "../setup/process.mjs";
import { modelsFolder, readJson } from "./recipe.mjs";

export const corpusFolder = join(root, "build", "corpus");

export function ensureCorpus(streams) {
  if (streams.every((name) => existsSync(join(corpusFolder, name)))) return;
  const made = spawnSync(process.execPath, [join(root, "scripts", "corpus.mjs")], {
    stdio: "inherit",
  });
  if (made.status !== 0) throw new SetupError("The corpus could not be prepared.");
}

/** `{ name: SHA-256 }` as recorded in models/corpus.json. */
export function corpusHashes(names) {
  const { files } = readJson(join(modelsFolder, "corpus.json"));
  return Object.fromEntries(names.map((name) => [name, files[name].sha256]));
}
