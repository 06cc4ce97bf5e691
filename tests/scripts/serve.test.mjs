// The page's server: the files that it serves, the requests that it refuses, and its headers.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";

const parent = mkdtempSync(join(tmpdir(), "whereformer-serve-"));
const folder = join(parent, "site");
let server;

// fetch() would resolve ".."; an attacker would send it.
function ask(path, { method = "GET", headers = {} } = {}) {
  const { port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let body = "";
      response.on("data", (text) => {
        body += text;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body }),
      );
    })
      .on("error", reject)
      .end();
  });
}

before(async () => {
  mkdirSync(folder);
  writeFileSync(join(parent, "secret.txt"), "secret");
  writeFileSync(join(folder, "index.html"), "<!doctype html>home");
  writeFileSync(join(folder, "x.wasm"), "\0asm");
  symlinkSync(join(parent, "secret.txt"), join(folder, "outside.txt"));
  server = await serve({ folder, port: 0 });
});

after(async () => {
  await server.close();
  rmSync(parent, { recursive: true });
});

test("the root is index.html, under a policy without inline code and other origins", async () => {
  const { status, headers, body } = await ask("/");
  assert.equal(status, 200);
  assert.equal(body, "<!doctype html>home");
  assert.match(headers["content-type"], /^text\/html/);
  const policy = headers["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(?:;|$)/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
});

test("a binary has the type that streaming compilation needs", async () => {
  assert.equal((await ask("/x.wasm")).headers["content-type"], "application/wasm");
});

test("the manifest of the installable app has its own type, and the policy allows it", async () => {
  writeFileSync(join(folder, "manifest.webmanifest"), "{}");
  const { headers } = await ask("/manifest.webmanifest");
  assert.equal(headers["content-type"], "application/manifest+json");
  assert.match(headers["content-security-policy"], /manifest-src 'self'(?:;|$)/);
});

test("an unchanged file is not sent twice", async () => {
  const { etag } = (await ask("/x.wasm")).headers;
  assert.equal((await ask("/x.wasm", { headers: { "if-none-match": etag } })).status, 304);
});

test("a single range of a file is sent as a part; other ranges send the whole file", async () => {
  const part = async (range) => {
    const { status, headers, body } = await ask("/index.html", { headers: { range } });
    return [status, headers["content-range"], headers["content-length"], body];
  };
  const all = "<!doctype html>home";
  assert.deepEqual(await part("bytes=2-8"), [206, "bytes 2-8/19", "7", "doctype"]);
  assert.deepEqual(await part("bytes=15-"), [206, "bytes 15-18/19", "4", "home"]);
  assert.deepEqual(await part("bytes=15-900"), [206, "bytes 15-18/19", "4", "home"]);
  for (const other of [
    "bytes=19-",
    "bytes=5-2",
    "bytes=0-1,3-4",
    "bytes=-4",
    "lines=1-2",
    "bytes=a-b",
  ])
    assert.deepEqual(await part(other), [200, undefined, "19", all], other);
});

for (const path of [
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/outside.txt",
  "/%",
  "/no",
]) {
  test(`${path} is not found`, async () => {
    assert.equal((await ask(path)).status, 404);
  });
}

test("a folder without a final slash redirects to one, never to another site", async () => {
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "inner/index.html"), "inner");
  for (const path of ["/inner", "/.//inner"]) {
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers.location], [301, "./inner/"], path);
  }
  assert.equal((await ask("/inner/")).body, "inner");
});

test("requests that write are refused", async () => {
  assert.equal((await ask("/", { method: "PUT" })).status, 405);
});

test("a port in use is an error that names PORT", async () => {
  const port = Number(new URL(server.address).port);
  await assert.rejects(serve({ folder, port }), /Port \d+ is taken.*PORT=/);
});

test("files that the folder lacks, even temporarily, come from the fallback", async (context) => {
  const [next, first] = ["next", "first"].map((name) => join(parent, name));
  mkdirSync(first);
  writeFileSync(join(first, "old.js"), "old");
  writeFileSync(join(first, "index.html"), "first");
  const site = await serve({ folder: next, fallback: first, port: 0 });
  context.after(() => site.close());
  const text = async (path) => (await fetch(new URL(path, site.address))).text();
  assert.equal(await text("/"), "first");
  mkdirSync(next);
  writeFileSync(join(next, "index.html"), "next");
  assert.equal(await text("/"), "next");
  assert.equal(await text("/old.js"), "old");
});
