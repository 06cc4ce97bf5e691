// Each bundler and framework builds its example from the tarball, and the page works: the engine
// here, in a worker, with two threads, and a figure.

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

/** Starts a server of an example's own, and gives its address once it says it. */
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

test("vite: the server of development, which bundles nothing", async (context) => {
  const folder = install("vite");
  const address = await started(context, folder, ["vite", "--port", "0"]);
  const { threads, ...rest } = await outputs(address);
  assert.deepEqual({ ...rest, threads: "2" }, works);
  // It sends no headers for threads.
  assert.equal(threads, "1");
});

test("next: rendered on the server, then alive; a figure of the client", async (context) => {
  const folder = install("next");
  script(folder, "build");
  const address = await started(context, folder, ["next", "start", "--port", "0"]);
  const { server, ...rest } = await outputs(address, "next");
  assert.equal(server, works.here);
  assert.deepEqual(rest, works);
});
