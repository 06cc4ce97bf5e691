// Makes an example as a reader gets it: a copy of its folder, with the tarball instead of the
// published package.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { writeNpmPackage } from "../../scripts/build/npm-package.mjs";
import { launchOptions } from "../web/browser.mjs";
import { counted, sent, timed } from "./cost.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = (command, args, cwd, options) =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    timeout: 300_000,
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });

const place = mkdtempSync(join(tmpdir(), "whereformer-examples-"));
after(() => rmSync(place, { recursive: true, force: true }));
let tarball;

function packed() {
  if (tarball) return tarball;
  const pack = ["pack", "--json", "--silent", "--pack-destination", place];
  writeNpmPackage(join(place, "staged"));
  const [{ filename }] = JSON.parse(run("npm", pack, join(place, "staged")));
  tarball = join(place, filename);
  return tarball;
}

/** Copies an example and installs its dependencies; returns its folder. */
export function install(name) {
  const folder = join(place, name);
  cpSync(join(root, "examples", name), folder, { recursive: true });
  const file = join(folder, "package.json");
  const project = JSON.parse(readFileSync(file, "utf8"));
  project.dependencies.whereformer = `file:${packed()}`;
  writeFileSync(file, JSON.stringify(project));
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--silent"];
  timed(name, "install", () => run("npm", ["install", ...quiet], folder));
  return folder;
}

/** Runs one of the scripts of an installed example; returns its output. */
export const script = (folder, name, options) =>
  timed(basename(folder), name, () =>
    run("npm", ["run", "--silent", name], folder, {
      ...options,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    }),
  );

const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
/** Response headers without which a page has no threads. */
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Serves a folder from the root of an origin. */
export async function serve(context, folder, headers = isolation) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split("?")[0]);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = types[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers }).end(sent(readFileSync(file)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

let browser;
after(() => browser?.close());

/** Opens an empty page; returns it with a list that collects the browser's errors. */
async function blankPage() {
  browser ??= await chromium.launch(launchOptions);
  // Some servers compress a response only if the browser accepts that; sizes must be comparable.
  const page = await browser.newPage({ extraHTTPHeaders: { "accept-encoding": "identity" } });
  const complaints = [];
  page.on("console", (message) => {
    // Failed responses are reported below, with their address.
    const isReply = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isReply) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("response", (reply) => {
    if (reply.status() >= 400 && !reply.url().endsWith("/favicon.ico"))
      complaints.push(`${reply.status()} ${reply.url()}`);
  });
  return { page, complaints };
}

/** Opens a page: `{ page, complaints }`. */
export async function openPlainly(address) {
  const { page, complaints } = await blankPage();
  await page.goto(address);
  return { page, complaints };
}

/**
 * Opens an example, waits until its last output (`threads`) has a text and its figure is drawn, and
 * returns the texts of its outputs by id, with the browser's errors. Records the page's costs under
 * `name`.
 */
export async function outputs(address, name) {
  const { page, complaints } = await blankPage();
  const done = counted(page, name);
  await page.goto(address);
  const drawn = () =>
    document.getElementById("threads")?.textContent &&
    document.querySelector("wf-who-chases")?.data?.largestDifference < 1e-5;
  await page.waitForFunction(drawn, undefined, { timeout: 60_000 }).catch((error) => {
    throw new Error(`${error.message}; errors of the page: ${JSON.stringify(complaints)}`);
  });
  await done();
  const texts = await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("output")].map(({ id, textContent }) => [id, textContent]),
    ),
  );
  await page.close();
  return { ...texts, complaints };
}

/** ALiBi's biases for the third token, for both heads. */
export const bias = "-0.125 -0.0625 0 -0.0078125 -0.00390625 0";
export const works = { here: bias, worker: bias, threads: "2", complaints: [] };
