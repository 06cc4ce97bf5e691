// The package for Python as a wheel, installed where JupyterLab, marimo and PyTorch are.

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePythonPackage } from "../../scripts/build/python-package.mjs";
import { root } from "../../scripts/setup/ensure.mjs";
import { runOrFail } from "../../scripts/setup/process.mjs";
import { ensureNotebookPython, programIn } from "../../scripts/setup/python.mjs";

export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";
const within = join(root, "build/notebook");

/** Builds the wheel; resolves to its path, its sources, and the environment's programs. */
export async function buildWheel() {
  const folder = await ensureNotebookPython();
  const program = (name) => programIn(folder, name);
  const sources = join(root, "dist-python");
  await writePythonPackage(sources);
  await runOrFail(program("python"), ["-m", "hatchling", "build", "-t", "wheel"], { cwd: sources });
  const [name] = readdirSync(join(sources, "dist")).filter((file) => file.endsWith(".whl"));
  return { wheel: join(sources, "dist", name), sources, program };
}

/** Also installs the wheel in the environment. */
export async function installWheel() {
  const built = await buildWheel();
  const install = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"];
  await runOrFail(built.program("python"), [...install, built.wheel]);
  return built;
}

/** An empty folder for a test. */
export function emptyFolder(name) {
  const folder = join(within, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes a notebook whose cells have these sources. */
export function writeNotebook(file, sources) {
  const cells = sources.map((source, at) => ({
    cell_type: "code",
    id: `cell-${at}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(file, JSON.stringify(notebook));
}

/**
 * Resolves to the environment variables with which Playwright for Python finds the browser of this
 * machine in place of its own.
 */
export async function withBrowser(program, folder) {
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: folder };
  const code = `import re
from playwright.sync_api import Error, sync_playwright
with sync_playwright() as p:
    try:
        p.chromium.launch()
    except Error as missing:
        print(re.search(r"doesn't exist at (.+)", str(missing))[1])`;
  const { output } = await runOrFail(program("python"), ["-c", code], { env });
  const place = output.trim().split("\n").at(-1);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(chromium, place);
  return env;
}
