// Installs the packages of package-lock.json with npm if they are missing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { run, SetupError } from "./process.mjs";
import { Steps } from "./progress.mjs";

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return undefined;
  }
}

// npm writes the inner lock file last, so an interrupted installation does not have one.
function isInstalled(root) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const present = readPackages(join(root, "node_modules/.package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || present[path]?.version === entry.version,
  );
}

/** Installs the locked packages of the checkout `root` unless exactly these are installed. */
export async function ensureNodePackages(root) {
  if (isInstalled(root)) return;
  await withLock(join(root, "build/npm.lock"), "npm ci", async () => {
    if (isInstalled(root)) return;
    const steps = new Steps(1);
    steps.begin("Packages from npm, as locked");
    const { code, output } = await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root });
    // npm prints the error first, and its usage last.
    const lines = output.split("\n").slice(0, 20).join("\n");
    if (code !== 0) throw new SetupError(`npm ci failed (exit ${code})\n${lines}`);
    if (!isInstalled(root)) throw new SetupError("npm ci left packages out; run it by hand.");
    steps.end();
  });
}
