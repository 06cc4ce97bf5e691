// The examples that need no build, opened as they lie in examples/, the package beside them or
// behind the address of a CDN.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { launchOptions } from "../web/browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const example = (...parts) => join(root, "examples", ...parts);
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const bias = "-0.125 -0.0625 0 -0.0078125 -0.00390625 0";
const works = (threads) => ({ here: bias, worker: bias, threads, complaints: [] });

let browser;
before(async () => {
  browser = await chromium.launch(launchOptions);
});
after(() => browser.close());

/** A server of files by path, from an origin of its own. */
async function listening(context, answer) {
  const server = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : request.url;
    const { body, headers } = answer(path) ?? {};
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(path)], ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

const textOf = (file) => (existsSync(file) ? readFileSync(file) : undefined);

/**
 * Serves an example, or a page of the test's, with the package in `whereformer/`. The CDN that the
 * examples name is another server, which lets any page have the package.
 */
async function serve(context, { name, page, headers = {} }) {
  const cdn = await listening(context, (path) => ({
    body: textOf(join(root, path)),
    headers: { "access-control-allow-origin": "*" },
  }));
  const named = (body) =>
    String(body).replaceAll(/https:\/\/cdn\.example\/whereformer@[\d.]+\//g, cdn);
  return listening(context, (path) => {
    if (path.startsWith("/whereformer/"))
      return { body: textOf(join(root, path.slice("/whereformer".length))), headers };
    const own = path === "/index.html" ? page : undefined;
    const body = own ?? (name && textOf(example(name, path)));
    return body === undefined ? undefined : { body: named(body), headers };
  });
}

/** What the outputs of a page, or of the frame in it, say; `last` is the one that is waited for. */
async function outputs(address, { last = "threads", figure = true } = {}) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  const frame = page.frames().at(-1);
  const done = ([last, figure]) =>
    document.getElementById(last)?.textContent &&
    (!figure || document.querySelector("wf-who-chases").data?.largestDifference < 1e-5);
  await frame.waitForFunction(done, [last, figure], { timeout: 60_000 }).catch((error) => {
    throw new Error(`${error.message}; the page said ${JSON.stringify(complaints)}`);
  });
  const texts = await frame.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("output")].map(({ id, textContent }) => [id, textContent]),
    ),
  );
  await page.close();
  return { ...texts, complaints };
}

test("html: the one file beside a page, with threads where the page has them", async (context) => {
  assert.deepEqual(await outputs(await serve(context, { name: "html" })), works("1"));
  const apart = await serve(context, { name: "html", headers: isolation });
  assert.deepEqual(await outputs(apart), works("2"));
});

test("cdn: the one file of another origin", async (context) => {
  assert.deepEqual(await outputs(await serve(context, { name: "cdn" })), works("1"));
  const apart = await serve(context, { name: "cdn", headers: isolation });
  assert.deepEqual(await outputs(apart), works("2"));
});

test("sandboxed-frame: a frame without an origin", async (context) => {
  assert.deepEqual(await outputs(await serve(context, { name: "sandboxed-frame" })), works("1"));
});

test("slides: one file with all in it, from a disk, and in a frame that may ask for nothing", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "whereformer-slides-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(root, "dist/standalone-inline.js");
  copyFileSync(script, join(folder, "standalone-inline.js"));
  copyFileSync(example("slides/index.html"), join(folder, "index.html"));
  assert.deepEqual(await outputs(pathToFileURL(join(folder, "index.html")).href), works("1"));
  const text = readFileSync(script, "utf8").replaceAll("</script", "<\\/script");
  const slide = readFileSync(example("slides/index.html"), "utf8").replace(
    '<script src="standalone-inline.js">',
    () => `<script>${text}`,
  );
  const attribute = slide.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const page = `<!doctype html><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" srcdoc="${attribute}"></iframe>`;
  assert.deepEqual(await outputs(await serve(context, { page })), works("1"));
});

test("service-worker: the engine alone", async (context) => {
  const address = await serve(context, { name: "service-worker" });
  const said = await outputs(address, { last: "here", figure: false });
  assert.deepEqual(said, { here: bias, complaints: [] });
});

const blank = '<!doctype html><link rel="icon" href="data:,">';

test("notebook: what a cell shows, in a page and in a frame without an origin", async (context) => {
  const { cells } = JSON.parse(readFileSync(example("notebook/figure.ipynb"), "utf8"));
  const html = cells[0].outputs[0].data["text/html"].join("");
  assert.ok(cells[0].source.join("").includes(html), "the cell's code is what it shows");
  assert.deepEqual(await outputs(await serve(context, { page: blank + html })), works("1"));
  const attribute = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const framed = `${blank}<iframe sandbox="allow-scripts" srcdoc="${attribute}"></iframe>`;
  assert.deepEqual(await outputs(await serve(context, { page: framed })), works("1"));
});

test("quarto: a block that goes into the page as it is", async (context) => {
  const source = readFileSync(example("quarto/figure.qmd"), "utf8");
  const [, html] = /```\{=html\}\n([\s\S]*?)```/.exec(source);
  assert.deepEqual(await outputs(await serve(context, { page: blank + html })), works("1"));
});
