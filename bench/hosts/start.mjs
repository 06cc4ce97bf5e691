// Starts fresh processes for measurements: Node, Chromium, Firefox, the native program. Each is `{
// machine, measure(row), close() }`, with its version in `machine`.

import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { relaxedSimdFlags } from "../../scripts/setup/process.mjs";
import { compareBuilds } from "../measure/against.mjs";
import { restOfPoolsMs } from "../measure/rounds.mjs";
import { measureFirstBytes, measureFirstResult } from "./first-result.mjs";
import { startNative, whyNotNative } from "./native.mjs";
import { serveBench } from "./server.mjs";

const child = fileURLToPath(new URL("./node.mjs", import.meta.url));
const find = (paths) => paths.find((path) => existsSync(path));
const chromiumPath = () =>
  process.env.CHROMIUM ??
  find(["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]);
const firefoxPath = () => find(["/usr/bin/firefox-esr", "/usr/bin/firefox"]);

/** Starts a Node process; returns its version, and how to ask it something and to end it. */
async function startWorker(job) {
  const worker = fork(child, { execArgv: relaxedSimdFlags() });
  const ended = once(worker, "exit").then(([code, signal]) => ({ ended: code ?? signal }));
  const ask = async (name, argument) => {
    worker.send({ name, argument });
    const answered = new Promise((resolve) => worker.once("message", resolve));
    const said = await Promise.race([answered, ended]);
    if ("ended" in said) throw new Error(`the Node process ended with ${said.ended}`);
    return said.result;
  };
  const close = async () => {
    worker.disconnect();
    if (worker.exitCode === null) worker.kill();
  };
  return { version: (await ask("open", job)).slice(1), ask, close };
}

async function startNode(job) {
  const { version, ask, close } = await startWorker(job);
  return { machine: `Node ${version}`, measure: (row) => ask("measure", row), close };
}

/** Starts a process of this build and one of another, which measure each row in turns. */
async function startBuilds(job) {
  const restMs = job.threads > 1 ? restOfPoolsMs : 0;
  const workers = [await startWorker(job), await startWorker({ ...job, dist: job.against })];
  return {
    machine: `Node ${workers[0].version}, two builds`,
    async measure(row) {
      const builds = [];
      for (const { ask } of workers)
        builds.push({ about: await ask("prepare", row), time: (calls) => ask("time", calls) });
      const result = await compareBuilds(builds, { ...job.settings, restMs });
      for (const { ask } of workers) await ask("dispose");
      return result;
    },
    close: async () => {
      for (const { close } of workers) await close();
    },
  };
}

/**
 * Opens a page in a fresh browser, and returns a function that closes both. The two drivers have
 * the same interface to pages.
 */
async function openChromium() {
  const { chromium } = await import("playwright-core");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
  ];
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  return { browser, version: `Chromium ${browser.version()}` };
}
async function openFirefox() {
  const { default: puppeteer } = await import("puppeteer-core");
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefoxPath(),
    headless: true,
    protocolTimeout: 0,
  });
  return { browser, version: (await browser.version()).replace("/", " ") };
}

export const browsers = { chromium: openChromium, firefox: openFirefox };

/**
 * Adds `processorTime()` to a page of Chromium: milliseconds of all threads of its renderers so
 * far.
 */
async function offerProcessorTime(browser, page) {
  const session = await browser.newBrowserCDPSession();
  await page.exposeFunction("processorTime", async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    return renderers.reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
  });
}

/**
 * Opens a page of the bench in a fresh browser, and resolves when its script has defined `global`.
 */
async function openPage(where, path, global) {
  const server = await serveBench();
  const { browser, version } = await browsers[where]();
  const page = await browser.newPage();
  if (where === "chromium") await offerProcessorTime(browser, page);
  page.setDefaultTimeout(0);
  const failures = [];
  page.on("pageerror", (error) => failures.push(error));
  await page.goto(`${server.address}/bench/hosts/${path}`);
  for (let waited = 0; !(await page.evaluate((name) => name in globalThis, global)); waited += 20) {
    if (failures.length > 0 || waited > 10_000)
      throw failures[0] ?? new Error("the page of the bench did not start");
    await setTimeout(20);
  }
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { page, version, close };
}

/** Rows that each need a page in which nothing is loaded. */
const outer = { firstResult: measureFirstResult, firstBytes: measureFirstBytes };

async function startPage(where, job) {
  const { page, version, close } = await openPage(where, "page.html", "bench");
  try {
    await page.evaluate((given) => globalThis.bench.open(given), { ...job, where });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    machine: version,
    measure: (row) =>
      row.kind in outer
        ? outer[row.kind](row, (...path) => openPage(where, ...path))
        : page.evaluate((given) => globalThis.bench.measure(given), row),
    close,
  };
}

/** Returns the reason why a host cannot be used here; undefined if it can. */
export function whyNot(where) {
  if (where === "chromium" && !chromiumPath()) return "there is no Chromium";
  if (where === "firefox" && !firefoxPath()) return "there is no Firefox";
  if (where === "native") return whyNotNative();
  return undefined;
}

const starters = {
  node: (job) => (job.against ? startBuilds(job) : startNode(job)),
  native: startNative,
};

/** Starts a fresh process of a host. */
export const startProcess = (where, job) =>
  (starters[where] ?? ((given) => startPage(where, given)))(job);
