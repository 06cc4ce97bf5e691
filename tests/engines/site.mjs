// A site with the built package and a page that runs the probe; compares its results with Node's.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../../dist/index.js";
import { serve } from "../../scripts/serve.mjs";
import { probe } from "./probe.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = `<!doctype html><meta charset="utf-8"><title>waiting</title>
<script type="module" src="./page.mjs"></script><pre></pre>`;
const scriptOf = (entry) => `import { load } from "./dist/${entry}";
import { probe } from "./probe.mjs";
const show = (title, value) => {
  document.querySelector("pre").textContent = JSON.stringify(value);
  document.title = title;
};
probe(load).then((found) => show("done", found), (error) => show("failed", String(error.stack)));
`;

/**
 * Serves the probe and the package, whose `entry` the probe loads; `close()` stops the server and
 * removes the files. The page is isolated if `entry` is "threads.js".
 */
export async function openSite(entry = "index.js") {
  const folder = mkdtempSync(join(tmpdir(), "whereformer-engines-"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "tests/engines/probe.mjs"), join(folder, "probe.mjs"));
  writeFileSync(join(folder, "index.html"), page);
  writeFileSync(join(folder, "page.mjs"), scriptOf(entry));
  const server = await serve({ folder, port: 0, isolated: entry === "threads.js" });
  return {
    address: server.address,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Asserts that a page's numbers equal those of Node with the plain variant, within rounding. */
export async function compareWithNode(found) {
  const own = await probe(load, { variant: "simd" });
  assert.deepEqual(found.ids, own.ids);
  // Relaxed SIMD rounds differently, by a few units in the last place of values up to 1.
  const tolerance = found.variant === "simd" ? 0 : 2e-5;
  const compare = (name, a, b) => {
    assert.equal(a.length, b.length, name);
    const worst = Math.max(...a.map((value, index) => Math.abs(value - b[index])));
    assert.ok(worst <= tolerance, `${name}: ${worst}`);
  };
  for (const [index, id] of own.ids.entries()) {
    compare(id, found.outputs[index], own.outputs[index]);
  }
  compare("losses", found.losses, own.losses);
}
