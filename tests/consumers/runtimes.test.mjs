// Runs programs without a page from the tarball, in Node, Deno and Bun.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bias, install, script } from "./example.mjs";

const said = (threads) => `here ${bias}\nworker ${bias}\nthreads ${threads}\n`;
const [major] = process.versions.node.split(".").map(Number);

test("node: with import, with require, and in a worker thread", () => {
  const folder = install("node");
  // Before Node 22, relaxed SIMD, which threads need, is behind a flag.
  assert.equal(script(folder, "start"), said(major < 22 ? 1 : 2));
  if (major >= 22) assert.equal(script(folder, "require"), `here ${bias}\n`);
  assert.equal(script(folder, "thread"), `here ${bias}\n`);
});

test("deno: works with files that it may read, and names the missing permission otherwise", () => {
  const folder = install("deno");
  assert.equal(script(folder, "start"), said(2));
  const code = `import { load } from "whereformer";
    const say = ({ code, message }) => console.log(code, message.includes("--allow-read"));
    await load().catch(say);`;
  writeFileSync(join(folder, "denied.js"), code);
  const deno = join(folder, "node_modules/.bin/deno");
  const options = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  assert.equal(execFileSync(deno, ["run", "denied.js"], options), "unsupported true\n");
});

test("typescript: strict, types of libraries checked, three module resolutions", () => {
  assert.equal(script(install("typescript"), "check"), "");
});

test("jsdom: figures are added and removed without a window, without any error", () => {
  const folder = install("jsdom");
  const list = join(folder, "node_modules/whereformer/dist/custom-elements.json");
  const { length } = JSON.parse(readFileSync(list, "utf8")).modules;
  assert.ok(length > 30);
  assert.equal(script(folder, "start"), `defined ${length} of ${length}\n`);
});

test("bun", () => assert.equal(script(install("bun"), "start"), said(2)));
