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

/**
 * Installs missing Debian packages of the named groups, and npm's packages. With `emscripten` it
 * resolves to the toolchain (see `ensureEmscripten`), and prints its name.
 */
export async function ensure({ groups, emscripten = true }) {
  requireNode();
  await ensureSystemPackages(...groups);
  await ensureNodePackages(root);
  if (!emscripten) return undefined;
  const toolchain = await ensureEmscripten();
  say(`Toolchain: ${toolchain.description}`);
  return toolchain;
}
