// A real JupyterLab in a browser: a notebook is opened and run, and its figures are looked at.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium as playwright } from "playwright-core";
import { chromium } from "./environment.mjs";

const patience = 300_000;

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function isUp(address) {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${address} did not answer`);
}

/** Starts a program that serves on a port of its own. */
export async function startServer(command, args, { cwd, path }) {
  const port = await freePort();
  const child = spawn(command, args(port), { cwd, stdio: "ignore", detached: true });
  const address = `http://127.0.0.1:${port}`;
  await isUp(`${address}${path}`);
  return { address, close: () => process.kill(-child.pid) };
}

/** All cells are in the page, in view or not. */
const settings = { windowingMode: "none" };

export function startLab(program, folder) {
  const own = join(folder, "settings/@jupyterlab/notebook-extension");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "tracker.jupyterlab-settings"), JSON.stringify(settings));
  return startServer(
    program("jupyter-lab"),
    (port) => [
      "--allow-root",
      "--no-browser",
      `--port=${port}`,
      "--ServerApp.token=",
      "--ServerApp.password=",
      "--LabApp.expose_app_in_browser=True",
      "--ServerApp.disable_check_xsrf=True",
      `--LabApp.user_settings_dir=${join(folder, "settings")}`,
    ],
    { cwd: folder, path: "/api" },
  );
}

export async function openBrowser() {
  const browser = await playwright.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.setDefaultTimeout(patience);
  return { page, close: () => browser.close() };
}

const command = (page, name, options) =>
  page.evaluate(
    ([id, args]) => void globalThis.jupyterapp.commands.execute(id, args),
    [name, options ?? {}],
  );

/** Starts the kernel of a notebook, which JupyterLab finds there. */
async function startKernel(address, path) {
  const session = { path, name: path, type: "notebook", kernel: { name: "python3" } };
  const body = JSON.stringify(session);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/api/sessions`, { method: "POST", body, headers });
  if (!response.ok) throw new Error(`no kernel: ${response.status} ${await response.text()}`);
}

/** Opens a notebook and runs all of its cells. */
export async function runNotebook(page, { address }, file) {
  await startKernel(address, file);
  await page.goto(`${address}/lab/tree/${file}?reset`);
  await page.waitForSelector(".jp-Notebook .jp-Cell");
  // Before it is connected, JupyterLab would ask for a kernel.
  await page.waitForFunction(() => {
    const context = globalThis.jupyterapp?.shell.currentWidget?.sessionContext;
    const isConnected = context?.session?.kernel?.connectionStatus === "connected";
    return isConnected && context.isReady && context.kernelDisplayStatus === "idle";
  });
  await command(page, "notebook:run-all-cells");
}

export const setTheme = (page, theme) => command(page, "apputils:change-theme", { theme });

/** Runs code in a new cell at the end of the notebook. */
export async function runCell(page, code) {
  await page.evaluate((source) => {
    const { currentWidget } = globalThis.jupyterapp.shell;
    const { model } = currentWidget.content;
    const cell = { cell_type: "code", source, metadata: {} };
    model.sharedModel.addCell(cell);
    currentWidget.content.activeCellIndex = model.cells.length - 1;
  }, code);
  await command(page, "notebook:run-cell");
}

/** Waits until an output has this text; resolves to what matches. */
export async function printed(page, pattern) {
  const found = await page.waitForFunction((source) => {
    const outputs = [...document.querySelectorAll(".jp-OutputArea-output")];
    return outputs.map(({ textContent }) => textContent.match(new RegExp(source))).find(Boolean);
  }, pattern);
  return found.jsonValue();
}

/** Waits until an element of the notebook satisfies a condition on it. */
export const awaitElement = (page, selector, isReady, argument) =>
  page.waitForFunction(
    ([tag, source, given]) => {
      const found = document.querySelector(`.jp-OutputArea ${tag}, ${tag}`);
      return (
        found && new Function("figure", "given", `return (${source})(figure, given)`)(found, given)
      );
    },
    [selector, String(isReady), argument],
    { timeout: patience },
  );
