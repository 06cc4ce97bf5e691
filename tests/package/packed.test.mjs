// The tarball that npm would publish, installed into an empty folder: in Node, for tsc, and in a
// page built by Vite and opened in Chromium under a strict content security policy.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, posix } from "node:path";
import { test } from "node:test";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { chromium } from "playwright-core";
import { publint } from "publint";
import { figures } from "../../scripts/build/figures.mjs";
import {
  addressOf,
  linksIn,
  shippedDocuments,
  withReachableLinks,
} from "../../scripts/build/npm-package.mjs";
import { launchOptions } from "../web/browser.mjs";
import { installTarball, nodeIn, publishedFrom, root } from "./tarball.mjs";

const { folder, installed, files, staged } = installTarball("packed");
const node = (args, options) => nodeIn(folder, args, options);

test("the tarball has the files of its exports, and no sources", () => {
  const names = files.map(({ path }) => path);
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const isThere = (target) =>
    target.includes("*")
      ? names.some((name) => new RegExp(`^${target.slice(2).replace("*", ".+")}$`).test(name))
      : existsSync(join(installed, target));
  assert.deepEqual(
    targets.filter((target) => !isThere(target)),
    [],
  );
  const expected = /^(dist\/|docs\/|package\.json$|README\.md$|LICENSE$)/;
  assert.deepEqual(
    names.filter((name) => !expected.test(name)),
    [],
  );
  assert.deepEqual(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["whereformer"],
  );
});

test("the published files are the listed ones and the scripts of the figures", () => {
  const list = new URL("published-files.txt", import.meta.url);
  const listed = readFileSync(list, "utf8").trim().split("\n");
  const scripts = figures.flatMap(({ tag }) =>
    ["", "shared-"].map((part) => `dist/elements-${part}${tag.slice(3)}.js`),
  );
  const maps = scripts.filter((name) => name.includes("shared-")).map((name) => `${name}.map`);
  const all = [...listed, ...scripts, ...maps];
  assert.deepEqual(publishedFrom(staged).files.toSorted(), all.toSorted());
});

/** The anchor of a heading, as pages that show Markdown make it. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-");
const anchorsIn = (file) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

/** Returns what is wrong with the target of a link of a shipped document. */
function faultOf(document, target, place) {
  if (target.startsWith(`${place}/`)) {
    const [, path] = /^\/(?:blob|tree|raw)\/HEAD\/([^#]+)/.exec(target.slice(place.length)) ?? [];
    return path && existsSync(join(root, path)) ? undefined : "is not in the repository";
  }
  if (/^https:/.test(target)) return undefined;
  const [file, anchor] = target.split("#");
  const led = file ? join(installed, posix.dirname(document), file) : join(installed, document);
  if (!existsSync(led)) return "is not in the package";
  return anchor && !anchorsIn(led).includes(anchor) ? "has no such heading" : undefined;
}

test("links of every shipped document lead to shipped files, or into the repository", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const documents = files.map(({ path }) => path).filter((path) => path.endsWith(".md"));
  assert.deepEqual(documents.sort(), shippedDocuments().sort());
  for (const part of [/^docs\/guides\/models\.md$/, /^docs\/schemes\/rope\.zh\.md$/])
    assert.ok(documents.some((path) => part.test(path)));
  const wrong = [];
  let count = 0;
  for (const document of documents)
    for (const target of linksIn(readFileSync(join(installed, document), "utf8"))) {
      count++;
      const fault = faultOf(document, target, addressOf(manifest));
      if (fault) wrong.push(`${document}: ${target} ${fault}`);
    }
  assert.deepEqual(wrong, []);
  assert.ok(count > 100, `${count} links`);
});

test("links out of the package begin with the repository's address, pictures exist", () => {
  const place = "https://forge.example/a/b";
  const shipped = shippedDocuments();
  const read = (path) =>
    withReachableLinks(readFileSync(join(root, path), "utf8"), path, shipped, place);
  const own = read("README.md");
  assert.ok(own.includes("](docs/families.md)"));
  assert.ok(own.includes("](docs/guides/models.md#write)"));
  assert.ok(own.includes(`](${place}/tree/HEAD/examples)`));
  assert.ok(own.includes(`](${place}/blob/HEAD/docs/architecture.md)`));
  assert.ok(own.includes(`](${place}/raw/HEAD/docs/page.png)`));
  assert.ok(read("docs/install.md").includes(`](${place}/blob/HEAD/examples/README.md#what-they`));
  const code = "```js\ncall[name](x.md)\n```\nand `a[0](b.md)`, [c](c.md)";
  assert.equal(
    withReachableLinks(code, "docs/a.md", ["docs/c.md"], place),
    code,
    "code was changed",
  );
});

test("publint finds no fault in the package", async () => {
  const { messages } = await publint({ pkgDir: installed, level: "warning", strict: true });
  assert.deepEqual(messages, []);
});

test("modules and bundlers find types and scripts of every entry", async () => {
  const { name, version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const entries = files.map(({ path }) => [
    `/node_modules/${name}/${path}`,
    new Uint8Array(readFileSync(join(installed, path))),
  ]);
  const { problems } = await checkPackage(new Package(Object.fromEntries(entries), name, version), {
    excludeEntrypoints: [/\.wasm$/],
  });
  // The package has modules only, so a require call needs a Node version that loads them.
  const ofModules = problems.filter(
    ({ resolutionKind }) => !["node10", "node16-cjs"].includes(resolutionKind),
  );
  assert.deepEqual(ofModules, []);
});

test("it works in Node, by import and by require, on the main thread and in a worker", () => {
  const code = `
    import { createRequire } from "node:module";
    import { load } from "whereformer";
    import { load as loadWorker } from "whereformer/worker";
    const wf = await load();
    const remote = await loadWorker();
    const sizes = { numHeads: 1, headDim: 2 };
    const far = await remote.scheme("alibi", sizes);
    const near = wf.scheme("alibi", sizes);
    console.log(near.bias([1], [0]).data[0], (await far.bias([1], [0])).data[0]);
    const binary = createRequire(import.meta.url).resolve("whereformer/simd.wasm");
    console.log(binary.endsWith("/dist/simd.wasm"));
    remote.dispose();`;
  writeFileSync(join(folder, "use.mjs"), code);
  assert.equal(node(["use.mjs"]).trim(), "-0.00390625 -0.00390625\ntrue");
});

test("its types need no other declarations", () => {
  const sources = ["types.ts", "worker-types.ts"];
  for (const name of sources) cpSync(join(root, "tests/package", name), join(folder, name));
  const options = {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: sources }),
  );
  node([join(root, "node_modules/typescript/bin/tsc"), "-p", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
});

const page = `
  import { load } from "whereformer";
  import { load as loadThreads } from "whereformer/threads";
  import { load as loadWorker } from "whereformer/worker";
  const sizes = { numHeads: 1, headDim: 2 };
  const workers = [];
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      workers.push(this);
    }
  };
  // The message makes it throw where nobody catches.
  const kill = (worker) =>
    new Promise((resolve) => {
      worker.addEventListener("error", resolve);
      worker.postMessage(null);
    });
  const codeOf = (call) => call.then(() => "none", (error) => error.code);
  const say = (id, value) => { document.getElementById(id).textContent = String(value); };
  try {
    const wf = await load({ training: true });
    say("here", wf.variant + " " + wf.scheme("alibi", sizes).bias([1], [0]).data[0]);
    const ofSizes = { vocabSize: 8, hiddenSize: 16, numLayers: 1, numHeads: 2 };
    const config = { ...ofSizes, intermediateSize: 16, scheme: "rope" };
    const trainer = wf.trainer({
      config,
      task: { id: "copy" },
      length: 8,
    });
    say("training", trainer.step(3).length);
    const remote = await loadWorker({ training: true });
    const far = await remote.scheme("alibi", sizes);
    say("there", (await far.bias([1], [0])).data[0]);
    const steps = [];
    const model = await remote.model({ ...ofSizes, intermediateSize: 16 });
    for await (const { id } of model.generate([1], { maxTokens: 4 })) steps.push(id);
    say("written", steps.length);
    await kill(workers.at(-1));
    const idle = await codeOf(far.bias([1], [0]));
    const again = (await (await remote.scheme("alibi", sizes)).bias([1], [0])).data[0];
    const stepper = await remote.trainer({ config, task: { id: "copy" }, totalSteps: 100_000 });
    let stepping;
    const begun = new Promise((resolve) => { stepping = resolve; });
    const busy = codeOf(stepper.step(100_000, { onProgress: stepping }));
    await begun;
    await kill(workers.at(-1));
    const codes = [idle, again, await busy, await codeOf(stepper.step())];
    say("failed", [...codes, (await remote.memory()) > 0].join(" "));
    const shared = await loadThreads({ threads: 2 });
    const ones = { data: new Float32Array(256 * 256).fill(1), shape: [256, 256] };
    for (let i = 0; i < 50; i++) shared.matmul(ones, ones);
    say("shared", shared.threads + " " + shared.matmul(ones, ones).data.at(-1));
    shared.dispose();
    const simd = await load({ variant: "simd" });
    say("other", simd.variant + " " + simd.scheme("alibi", sizes).bias([1], [0]).data[0]);
  } catch (error) {
    say("error", error.stack);
  }
  say("done", "done");`;

const ids = ["here", "training", "there", "written", "failed", "shared", "other", "error", "done"];
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".css": "text/css",
};
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** Headers with which a page may share memory. */
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Serves a folder from the root of an origin. */
async function serve(place, headers) {
  const server = createServer((request, response) => {
    const file = join(place, request.url === "/" ? "index.html" : decodeURIComponent(request.url));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy,
      ...headers,
    });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

test("a page built by Vite works in Chromium, without eval or other servers", async (context) => {
  mkdirSync(join(folder, "page"));
  const slots = ids.map((id) => `<p id="${id}"></p>`).join("");
  writeFileSync(
    join(folder, "page/index.html"),
    `<!doctype html><title>t</title>${slots}<script type="module" src="./main.js"></script>`,
  );
  writeFileSync(join(folder, "page/main.js"), page);
  const config = "export default { build: { target: 'es2022' }, worker: { format: 'es' } };";
  writeFileSync(join(folder, "page/vite.config.mjs"), config);
  const vite = join(root, "node_modules/vite/bin/vite.js");
  node([vite, "build", "--logLevel", "warn"], {
    cwd: join(folder, "page"),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const built = readdirSync(join(folder, "page/dist/assets"));
  const binaries = built.filter((name) => name.endsWith(".wasm"));
  assert.equal(binaries.length, 5, `not each binary once: ${built}`);

  const browser = await chromium.launch(launchOptions);
  context.after(() => browser.close());
  // An isolated page has threads; any other works without.
  await checkPage(context, browser, isolation, "2 256");
  await checkPage(context, browser, {}, "1 256");
});

async function checkPage(context, browser, headers, shared) {
  const { server, origin } = await serve(join(folder, "page/dist"), headers);
  context.after(() => server.close());
  const tab = await browser.newPage();
  const asked = [];
  const complaints = [];
  tab.on("request", (request) => asked.push(request.url()));
  tab.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()),
  );
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.goto(origin);
  await tab.locator("#done", { hasText: "done" }).waitFor({ timeout: 60_000 });
  const shown = Object.fromEntries(
    await Promise.all(ids.map(async (id) => [id, await tab.locator(`#${id}`).textContent()])),
  );
  assert.deepEqual(shown, {
    here: "relaxed -0.00390625",
    training: "3",
    there: "-0.00390625",
    written: "4",
    failed: "disposed -0.00390625 internal disposed true",
    shared,
    other: "simd -0.00390625",
    error: "",
    done: "done",
  });
  assert.deepEqual(
    complaints.filter((text) => !text.includes("favicon")),
    [],
  );
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(`${origin}/`)),
    [],
  );
}
