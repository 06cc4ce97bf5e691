// Builds the example of each bundler and framework from the tarball, and checks in its page that
// the engine works on the main thread, in a worker and with two threads, and that a figure is
// drawn.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { components, everyElement } from "./components.mjs";
import { install, outputs, script, serve, works } from "./example.mjs";

const examples = [
  "vite",
  "webpack",
  "rollup",
  "esbuild",
  "parcel",
  "mdx",
  "react",
  "vue",
  "svelte",
];

for (const name of examples)
  test(`${name}: built, served and opened`, async (context) => {
    const folder = install(name);
    script(folder, "build");
    assert.deepEqual(await outputs(await serve(context, join(folder, "dist")), name), works);
    if (components[name]) await everyElement(context, folder, name);
  });

/** Starts an example's own server; returns its address once the server has printed it. */
function started(context, folder, command) {
  const [program, ...rest] = command;
  const server = spawn(join(folder, "node_modules/.bin", program), rest, {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
  });
  context.after(() => server.kill());
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk) => {
      said += chunk;
      const [address] = /http:\/\/(?:localhost|127\.0\.0\.1):\d+\/?/.exec(said) ?? [];
      if (address && /ready/i.test(said)) resolve(address);
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    server.on("exit", (code) => reject(new Error(`${program} ended with ${code}: ${said}`)));
  });
}

test("vite: the development server, which does not bundle", async (context) => {
  const folder = install("vite");
  const address = await started(context, folder, ["vite", "--port", "0"]);
  const { threads, ...rest } = await outputs(address);
  assert.deepEqual({ ...rest, threads: "2" }, works);
  // The development server sends no headers that allow threads.
  assert.equal(threads, "1");
});

test("next: rendered on the server, working in the browser, with a figure", async (context) => {
  const folder = install("next");
  script(folder, "build");
  const address = await started(context, folder, ["next", "start", "--port", "0"]);
  const { server, ...rest } = await outputs(address, "next");
  assert.equal(server, works.here);
  assert.deepEqual(rest, works);
});
