// Opens the examples without a build as they are in examples/: the package, installed from its
// tarball, is beside them or at the address of a CDN.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { counted, note, sent } from "../consumers/cost.mjs";
import { launchOptions } from "../web/browser.mjs";
import { installTarball, root } from "./tarball.mjs";

const { folder: consumer, installed } = installTarball("examples");
const example = (...parts) => join(root, "examples", ...parts);
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const bias = "-0.125 -0.0625 0 -0.0078125 -0.00390625 0";
const blank = '<!doctype html><link rel="icon" href="data:,">';
const works = (threads) => ({ here: bias, worker: bias, threads, complaints: [] });

let browser;
before(async () => {
  browser = await chromium.launch(launchOptions);
});
after(() => browser.close());

/** Serves files by path, from a separate origin. */
async function listening(context, answer) {
  const server = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : request.url;
    const { body, headers } = answer(path) ?? {};
    if (body === undefined) return response.writeHead(404).end();
    const type = types[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers }).end(sent(body));
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
 * Serves an example, or a page of the test, with the package in `whereformer/`. The CDN that the
 * examples name is another server, which allows requests from any page.
 */
async function serve(context, { name, page, headers = {} }) {
  const cdn = await listening(context, (path) => ({
    body: textOf(join(installed, path)),
    headers: { "access-control-allow-origin": "*" },
  }));
  const named = (body) =>
    String(body).replaceAll(/https:\/\/cdn\.example\/whereformer@[\d.]+\//g, cdn);
  return listening(context, (path) => {
    if (path.startsWith("/whereformer/"))
      return { body: textOf(join(installed, path.slice("/whereformer".length))), headers };
    const own = path === "/index.html" ? page : undefined;
    const body = own ?? (name && textOf(example(name, path)));
    return body === undefined ? undefined : { body: named(body), headers };
  });
}

/**
 * Returns the outputs of a page, or of the frame in it, once the output `last` has a text. Records
 * the page's costs under `name`.
 */
async function outputs(address, { last = "threads", figure = true, name } = {}) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const end = counted(page, name);
  await page.goto(address);
  const frame = page.frames().at(-1);
  const done = ([last, figure]) =>
    document.getElementById(last)?.textContent &&
    (!figure || document.querySelector("wf-who-chases").data?.largestDifference < 1e-5);
  await frame.waitForFunction(done, [last, figure], { timeout: 60_000 }).catch((error) => {
    throw new Error(`${error.message}; errors of the page: ${JSON.stringify(complaints)}`);
  });
  await end();
  const texts = await frame.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("output")].map(({ id, textContent }) => [id, textContent]),
    ),
  );
  await page.close();
  return { ...texts, complaints };
}

const apart = {
  html: "the one file beside a page",
  "import-map": "names that a page gives to files",
  cdn: "the one file of another origin",
};
for (const [name, what] of Object.entries(apart))
  test(`${name}: ${what}, with threads if the page can have them`, async (context) => {
    const plain = await serve(context, { name });
    assert.deepEqual(await outputs(plain), works("1"));
    const isolated = await serve(context, { name, headers: isolation });
    assert.deepEqual(await outputs(isolated, { name }), works("2"));
  });

test("sandboxed-frame: works in a frame without an origin", async (context) => {
  const name = "sandboxed-frame";
  assert.deepEqual(await outputs(await serve(context, { name }), { name }), works("1"));
});

test("slides: a single file works from a disk and in a sandboxed frame", async (context) => {
  const folder = join(consumer, "slides");
  mkdirSync(folder);
  const script = join(installed, "dist/standalone-inline.js");
  copyFileSync(script, join(folder, "standalone-inline.js"));
  copyFileSync(example("slides/index.html"), join(folder, "index.html"));
  const address = pathToFileURL(join(folder, "index.html")).href;
  assert.deepEqual(await outputs(address, { name: "slides" }), works("1"));
  const files = ["standalone-inline.js", "index.html"].map((name) => join(folder, name));
  note("slides", { bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) });
  const text = readFileSync(script, "utf8").replaceAll("</script", "<\\/script");
  const slide = readFileSync(example("slides/index.html"), "utf8").replace(
    '<script src="standalone-inline.js">',
    () => `<script>${text}`,
  );
  const attribute = slide.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const framed = `<iframe sandbox="allow-scripts" srcdoc="${attribute}"></iframe>`;
  // The script is in ASCII, so a browser's guess of the encoding cannot damage it.
  assert.match(framed, /^[\0-\x7f]*$/);
  assert.deepEqual(await outputs(await serve(context, { page: blank + framed })), works("1"));
  const other = `${blank}<meta charset="gbk">${framed}`;
  assert.deepEqual(await outputs(await serve(context, { page: other })), works("1"));
});

test("service-worker: works with the engine only", async (context) => {
  const name = "service-worker";
  const address = await serve(context, { name });
  const said = await outputs(address, { last: "here", figure: false, name });
  assert.deepEqual(said, { here: bias, complaints: [] });
});

/** Makes a NumPy file of doubles. */
function npy(shape, numbers) {
  const said = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`;
  const header = Buffer.from(said.padEnd(117));
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length + 1, 0]);
  const data = Buffer.from(Float64Array.from(numbers).buffer);
  return Buffer.concat([head, header, Buffer.from("\n"), data]);
}

/** Returns the sources and outputs of the notebook's code cells. */
function notebookCells() {
  const { cells } = JSON.parse(readFileSync(example("notebook/figure.ipynb"), "utf8"));
  return cells
    .filter((cell) => cell.cell_type === "code")
    .map(({ source, outputs }) => ({
      source: source.join(""),
      html: outputs.find(({ data }) => data)?.data["text/html"].join(""),
    }));
}

/** Returns the numbers of the map in a page, or in the frame in it, once it has them. */
async function mapsOf(address, name) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const end = name && counted(page, name);
  await page.goto(address);
  const frame = page.frames().at(-1);
  const maps = () => [...document.querySelectorAll("wf-attention-map")];
  await frame
    .waitForFunction(`(${maps})().every((map) => map.data?.values)`, undefined, { timeout: 60_000 })
    .catch((error) => {
      throw new Error(`${error.message}; errors of the page: ${JSON.stringify(complaints)}`);
    });
  await end?.();
  const shown = ({ data, head }) => ({ values: [...data.values], words: data.rowLabels, head });
  const found = await frame.evaluate(`(${maps})().map(${shown})`);
  await page.close();
  return { found, complaints };
}

test("notebook: shows a NumPy array, by address or within a frame", async (context) => {
  const cells = notebookCells();
  const within = cells.at(-1).html;
  const given = JSON.parse(/Object\.assign\(map, (.*)\);/.exec(within)[1]);
  const numbers = given.weights.flat(2);
  assert.equal(numbers.length, 4 * 6 * 6);
  const [, template] = /f"""(.*?)"""/s.exec(cells.at(-1).source);
  const filled = template
    .replaceAll(/\{\{|\}\}/g, ([sign]) => sign)
    .replaceAll("{place}", "map-1")
    .replaceAll("{theme}", "")
    .replace("{numbers}", /\(map, (.*)\);/.exec(within)[1]);
  assert.equal(within.trim(), filled.trim(), "the cell's output is not that of its code");
  const files = {
    "/files/attention.npy": npy([4, 6, 6], numbers),
    "/files/attention.json": Buffer.from(JSON.stringify(given)),
  };
  const served = (page) =>
    listening(context, (path) => {
      if (path === "/index.html") return { body: Buffer.from(page) };
      const own = path.startsWith("/files/whereformer/")
        ? textOf(join(installed, "dist", path.slice("/files/whereformer/".length)))
        : files[path];
      return { body: own };
    });
  const check = ({ found, complaints }, count, words) => {
    assert.deepEqual(complaints, []);
    assert.equal(found.length, count);
    for (const { values, head } of found) {
      assert.equal(head, 2);
      assert.ok(values.every((value, i) => Math.abs(value - numbers[i]) < 1e-6));
    }
    assert.deepEqual(found.at(-1).words, words);
  };
  const byAddress = cells.filter(({ html }) => html?.includes("/files/"));
  assert.deepEqual(
    byAddress.map(({ source, html }) => source.includes(html.trim())),
    [true, true],
  );
  const words = "the cat sat on the mat".split(" ");
  const html = byAddress.map((cell) => cell.html).join("");
  check(await mapsOf(await served(blank + html), "notebook"), 2, words);
  const text = readFileSync(join(installed, "dist/standalone-inline.js"), "utf8");
  const script = `<script>${text.replaceAll("</script", "<\\/script")}</script>`;
  check(await mapsOf(await served(blank + script + within)), 1, words);
  const attribute = (script + within).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const framed = `${blank}<iframe sandbox="allow-scripts" srcdoc="${attribute}"></iframe>`;
  check(await mapsOf(await served(framed)), 1, words);
});

test("quarto: a block that is inserted into the page unchanged", async (context) => {
  const source = readFileSync(example("quarto/figure.qmd"), "utf8");
  const [, html] = /```\{=html\}\n([\s\S]*?)```/.exec(source);
  const address = await serve(context, { page: blank + html });
  assert.deepEqual(await outputs(address, { name: "quarto" }), works("1"));
});
