// Pages without a build, whose package is elsewhere: from another origin, in a frame without an
// origin, under Trusted Types, in a service worker.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { launchOptions } from "../web/browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves pages by path, and otherwise a folder, from a separate origin. */
async function serve(context, { folder, pages = {}, headers = {} }) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url);
    const file = folder && join(folder, path);
    const body = pages[path] ?? (file && existsSync(file) ? readFileSync(file) : undefined);
    if (body === undefined) return response.writeHead(404).end();
    const type = types[extname(path)] ?? "text/html";
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Serves the package like a CDN, to any page. */
const cdn = (context) =>
  serve(context, { folder: root, headers: { "access-control-allow-origin": "*" } });

let browser;
before(async () => {
  browser = await chromium.launch(launchOptions);
});
after(() => browser.close());

/** Opens a page; returns its title, in which it reports, and the browser's errors. */
async function opened(address, headers) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address, headers);
  await page.waitForFunction(() => document.title !== "", undefined, { timeout: 60_000 });
  const title = await page.title();
  await page.close();
  return { title, complaints: complaints.filter((text) => !text.includes("favicon")) };
}

const sizes = "{ numHeads: 1, headDim: 2 }";
/** Code that uses the engine on the page, in a worker and with threads, and reports the results. */
const uses = (from, tell, rest = "") => `
  const said = [];
  try {
    const { load } = await import("${from}/dist/index.js");
    const { load: loadWorker } = await import("${from}/dist/worker.js");
    const { load: loadThreads } = await import("${from}/dist/threads.js");
    const wf = await load();
    said.push(wf.scheme("alibi", ${sizes}).bias([1], [0]).data[0]);
    const remote = await loadWorker();
    said.push((await (await remote.scheme("alibi", ${sizes})).bias([1], [0])).data[0]);
    const shared = await loadThreads({ threads: 2 });
    said.push(shared.threads);
    ${rest}
  } catch (error) {
    said.push(error.name, error.code, error.message);
  }
  ${tell}(said.join(" "));`;
const titled = (script) =>
  `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;
const tell = "((text) => { document.title = text; })";
const isolated = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

test("files of another origin work here, in a worker and with threads", async (context) => {
  const from = await cdn(context);
  const pages = { "/": titled(uses(from, tell)) };
  const plain = await opened(await serve(context, { pages }));
  assert.deepEqual(plain, { title: "-0.00390625 -0.00390625 1", complaints: [] });
  const apart = await opened(await serve(context, { pages, headers: isolated }));
  assert.deepEqual(apart, { title: "-0.00390625 -0.00390625 2", complaints: [] });
});

test("a sandboxed frame has no origin, but a worker works", async (context) => {
  const from = await cdn(context);
  const inner = titled(uses(from, "((text) => parent.postMessage(text, '*'))"));
  const page = `<!doctype html><link rel="icon" href="data:,">
    <iframe sandbox="allow-scripts"></iframe>
    <script>
      onmessage = ({ data }) => { document.title = data; };
      document.querySelector("iframe").srcdoc = ${JSON.stringify(inner).replaceAll("</", "<\\/")};
    </script>`;
  const { title, complaints } = await opened(await serve(context, { pages: { "/": page } }));
  assert.equal(title, "-0.00390625 -0.00390625 1");
  assert.deepEqual(complaints, []);
});

const trusting =
  "require-trusted-types-for 'script'; trusted-types whereformer; script-src 'self' " +
  "'wasm-unsafe-eval'";

test("under Trusted Types a policy must allow only one name", async (context) => {
  const pages = {
    "/":
      '<!doctype html><link rel="icon" href="data:,"><script type="module" ' +
      'src="/main.js"></script>',
    "/main.js": uses("", tell),
  };
  const policy = (text) => ({ ...isolated, "content-security-policy": text });
  const site = await serve(context, { folder: root, pages, headers: policy(trusting) });
  assert.deepEqual(await opened(site), { title: "-0.00390625 -0.00390625 2", complaints: [] });
  const strict = trusting.replace("types whereformer", "types 'none'");
  const other = await serve(context, { folder: root, pages, headers: policy(strict) });
  const { title } = await opened(other);
  assert.match(title, /^-0.00390625 WhereformerError unsupported worker: .*TrustedScriptURL/);
});

test("a figure under Trusted Types needs two names, or shows a message", async (context) => {
  const pages = {
    "/": `<!doctype html><link rel="icon" href="data:,"><wf-who-chases></wf-who-chases>
      <script type="module" src="/main.js"></script>`,
    "/main.js": `
      import "/dist/standalone.js";
      const figure = document.querySelector("wf-who-chases");
      const look = () => {
        const { data, failure } = figure;
        if (!data && !failure) return setTimeout(look, 50);
        document.title = failure ? failure.code : String(data.largestDifference < 1e-5);
      };
      look();`,
  };
  const names = trusting.replace("types whereformer", "types whereformer lit-html");
  const headers = (text) => ({ "content-security-policy": text });
  const site = await serve(context, { folder: root, pages, headers: headers(names) });
  assert.deepEqual(await opened(site), { title: "true", complaints: [] });
  const other = headers(trusting.replace("types whereformer", "types lit-html"));
  const { title } = await opened(await serve(context, { folder: root, pages, headers: other }));
  assert.equal(title, "worker");
});

test("without workers a worker is a typed error, and threads are one", async (context) => {
  const pages = {
    "/":
      '<!doctype html><link rel="icon" href="data:,"><script type="module" ' +
      'src="/main.js"></script>',
    "/main.js": uses("", tell)
      .replace("await loadWorker()", "await loadWorker().catch((error) => error)")
      .replace(/said\.push\(\(await \(await remote.*/, "said.push(remote.name, remote.code);"),
  };
  const headers = { ...isolated, "content-security-policy": "worker-src 'none'" };
  const { title } = await opened(await serve(context, { folder: root, pages, headers }));
  assert.equal(title, "-0.00390625 WhereformerError network 1");
});

test("a service worker loads the engine as one import", async (context) => {
  const pages = {
    "/": titled(`
      const registered = navigator.serviceWorker.register("/sw.js", { type: "module" });
      const { active, installing } = await registered;
      navigator.serviceWorker.onmessage = ({ data }) => { document.title = data; };
      const worker = active ?? installing;
      const ask = () => worker.state === "activated" && worker.postMessage("work");
      worker.onstatechange = ask;
      ask();`),
    "/sw.js": `
      import { load } from "/dist/index.js";
      import { load as loadWorker } from "/dist/worker.js";
      onmessage = async ({ source }) => {
        const said = [];
        try {
          const wf = await load();
          said.push(wf.scheme("alibi", ${sizes}).bias([1], [0]).data[0]);
          await loadWorker();
        } catch (error) {
          said.push(error.code, error.message);
        }
        source.postMessage(said.join(" "));
      };`,
  };
  const { title, complaints } = await opened(await serve(context, { folder: root, pages }));
  assert.equal(title, "-0.00390625 unsupported this JavaScript engine has no workers");
  assert.deepEqual(complaints, []);
});
