// Skips a step whose inputs have not changed. Inputs are compared by content, so a fresh checkout,
// a touched file or a switch of branches and back causes no rebuild.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** A hash of the names and contents of files and folders, given relative to `root`. */
export function fingerprint(root, paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => listFiles(join(root, path))).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * Runs `build` unless its inputs equal those of its last success and its outputs exist. Resolves to
 * whether it was built. The stored fingerprint is deleted first, so an interrupted or failed build
 * never counts as finished.
 */
export async function buildIfChanged({ root, name, inputs, outputs, build }) {
  const mark = join(root, "build/marks", name);
  const now = fingerprint(root, inputs);
  const before = existsSync(mark) ? readFileSync(mark, "utf8") : "";
  if (before === now && outputs.every((path) => existsSync(join(root, path)))) return false;
  rmSync(mark, { force: true });
  await build();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, now);
  return true;
}
