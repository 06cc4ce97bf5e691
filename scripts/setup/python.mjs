// Finds or makes the environment in which the package for Python is tested: Python with JupyterLab,
// PyTorch and all else that python/requirements-test.txt pins. It is shared by all checkouts.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./emscripten.mjs";
import { root } from "./ensure.mjs";
import { withLock } from "./lock.mjs";
import { findProgram, readOutput, runOrFail, SetupError } from "./process.mjs";
import { Steps } from "./progress.mjs";

const list = join(root, "python/requirements-test.txt");
const minimum = [3, 11];

/** The first Python on the path that is new enough. */
function pythonOnPath() {
  for (const name of ["python3", "python3.13", "python3.12", "python3.11"]) {
    const program = findProgram(name);
    const version = program && /(\d+)\.(\d+)/.exec(readOutput(program, ["--version"]) ?? "");
    if (!version) continue;
    const [major, minor] = version.slice(1).map(Number);
    if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return program;
  }
  throw new SetupError(`Install Python ${minimum.join(".")} or newer, and run this again.`);
}

const programIn = (folder, name) =>
  join(folder, process.platform === "win32" ? "Scripts" : "bin", name);

/** Makes an environment in a folder; resolves to its Python. */
export async function makeEnvironment(folder, base = pythonOnPath()) {
  await runOrFail(base, ["-m", "venv", "--clear", folder]);
  return programIn(folder, "python");
}

/** Resolves to the environment's folder; the first time it installs some gigabytes. */
export async function ensureNotebookPython() {
  const text = readFileSync(list, "utf8");
  const recipe = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const folder = join(cacheFolder(), `notebook-${recipe}`);
  if (existsSync(join(folder, "finished"))) return folder;
  mkdirSync(cacheFolder(), { recursive: true });
  await withLock(join(cacheFolder(), "notebook.lock"), "installing Python's packages", async () => {
    if (existsSync(join(folder, "finished"))) return;
    const steps = new Steps(1);
    steps.begin("Python with JupyterLab, PyTorch and Transformers (once, takes minutes)");
    rmSync(folder, { recursive: true, force: true });
    const python = await makeEnvironment(folder);
    await runOrFail(python, ["-m", "pip", "install", "--quiet", "--requirement", list]);
    // Written last: an interrupted installation is done again.
    writeFileSync(join(folder, "finished.part"), "");
    renameSync(join(folder, "finished.part"), join(folder, "finished"));
    steps.end();
  });
  return folder;
}

/** A program of an environment. */
export { programIn };
