// Installs all requirements for building and testing.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, missingPackages } from "./apt.mjs";
import { cacheFolder, ensureEmscripten } from "./emscripten.mjs";
import { withLock } from "./lock.mjs";
import { ensureNodePackages } from "./node-packages.mjs";
import { SetupError } from "./process.mjs";
import { Steps, say } from "./progress.mjs";

/** The root of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old: install Node 20.19 or newer and run this again.`,
  );
}

/** Installs the Debian packages of the named groups that are missing. */
export async function ensureSystemPackages(...groups) {
  if (missingPackages(...groups).length === 0) return;
  await withLock(join(cacheFolder(), "apt.lock"), "installing Debian packages", async () => {
    const missing = missingPackages(...groups);
    if (missing.length === 0) return;
    const steps = new Steps(1);
    steps.begin(`Debian packages: ${missing.join(", ")}`);
    steps.end(await installPackages(missing, steps));
  });
}

/** Waits for all of the promises, then returns their values, or throws the first error. */
async function all(promises) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/**
 * Installs missing Debian packages of the named groups and, at the same time, npm's packages, after
 * which it calls `onNodePackages`. With `emscripten` it resolves to the toolchain (see
 * `ensureEmscripten`), and prints its name.
 */
export async function ensure({ groups, emscripten = true, onNodePackages = () => {} }) {
  requireNode();
  const toolchain = async () => {
    await ensureSystemPackages(...groups);
    return emscripten ? ensureEmscripten() : undefined;
  };
  const [found] = await all([toolchain(), ensureNodePackages(root).then(onNodePackages)]);
  if (found) say(`Toolchain: ${found.description}`);
  return found;
}
