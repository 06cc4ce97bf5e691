// WebKit, as a rough substitute for Safari, has no relaxed SIMD: the package must choose the plain
// variant by itself and compute the numbers of Node.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "../../scripts/serve.mjs";
import { compareWithNode, openSite } from "./site.mjs";
import { openWebKit } from "./webdriver.mjs";

let webkit;
before(async () => {
  webkit = await openWebKit();
});
after(() => webkit?.close());

async function until(script) {
  for (let tries = 0; tries < 300; tries += 1) {
    const value = await webkit.evaluate(script);
    if (value) return value;
    await sleep(200);
  }
  throw new Error(`never true: ${script}`);
}

test("WebKit computes what Node computes", async () => {
  const site = await openSite();
  try {
    await webkit.open(site.address);
    await until('return document.title !== "waiting"');
    const text = await webkit.evaluate('return document.querySelector("pre").textContent');
    assert.equal(await webkit.evaluate("return document.title"), "done", text);
    const found = JSON.parse(text);
    assert.equal(found.variant, "simd");
    await compareWithNode(found);
  } finally {
    await site.close();
  }
});

test("the page's first figure has numbers in WebKit", async () => {
  const page = await serve({ port: 0 });
  try {
    await webkit.open(page.address);
    const tag = 'document.querySelector("wf-who-chases")';
    await until(`${tag}.scrollIntoView(); return Boolean(${tag}.data)`);
  } finally {
    await page.close();
  }
});
