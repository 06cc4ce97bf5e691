// The surroundings of a picture in another page: a title of the page's own or none, no controls at
// all, and styles from outside for every part.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const own = `
for (const map of document.querySelectorAll("wf-attention-map")) {
  map.weights = [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0, 1]]];
  map.tokens = ["to", "be"];
}
`;
const imports = ["attention-map", "who-chases", "scheme", "word-swap"]
  .map((name) => `import "whereformer/elements/${name}";\n`)
  .join("");
const parts = [
  "heading",
  "picture",
  "legend",
  "reading",
  "controls",
  "note",
  "caveat",
  "small",
  "actions",
  "action",
  "code",
  "map",
  "heads",
  "overview",
  "zoom",
  "cells",
];
const css = parts
  .map((name) => `wf-attention-map::part(${name}) { outline: 1px solid rgb(200, 0, 0) }`)
  .join("\n");
const style = '<link rel="stylesheet" href="./chrome.css">';
const pages = {
  titles: [
    `${headOf("titles")}<wf-attention-map id="plain"></wf-attention-map>
<wf-attention-map id="own" heading="Head 3 after fine-tuning"></wf-attention-map>
<wf-attention-map id="empty" heading=""></wf-attention-map>
<wf-attention-map id="none" heading="none"></wf-attention-map>
<wf-word-swap id="swap" heading="Two orders"></wf-word-swap>
<wf-scheme id="scheme" scheme="alibi" heading="A ramp for each head"></wf-scheme></html>`,
    imports + own,
  ],
  compact: [
    `${headOf("compact")}<wf-attention-map id="map" compact></wf-attention-map>
<wf-who-chases id="chases" compact></wf-who-chases>
<wf-scheme id="scheme" scheme="alibi" compact></wf-scheme>
<wf-word-swap id="swap" compact></wf-word-swap></html>`,
    imports + own,
  ],
  parts: [
    `${headOf("parts", "en", style)}<wf-attention-map id="map"></wf-attention-map></html>`,
    imports + own,
  ],
};

let session;
before(async () => {
  session = await openBrowser(await buildHost("host-chrome", pages, { "chrome.css": css }));
});
after(() => session.close());

/** In the page: visible elements that match a selector, in all shadow trees. */
const seen = (figure, selector) =>
  figure.locator(selector).evaluateAll((nodes) =>
    nodes
      .filter((node) => node.checkVisibility({ visibilityProperty: true }))
      .filter((node) => node.getBoundingClientRect().height > 0)
      .map((node) => node.textContent.trim() || node.localName),
  );

async function opened(name) {
  const it = await openPage(session, { hash: `${name}.html` });
  const figure = async (id) => {
    const found = it.page.locator(`#${id}`);
    await found.scrollIntoViewIfNeeded();
    await awaitNumbers(it.page, `#${id}`);
    await found.evaluate((node) => node.updateComplete);
    return found;
  };
  return { ...it, figure };
}

test("`heading` sets a figure's title, or removes it; both can be undone", async () => {
  const { page, figure, complaints, close } = await opened("titles");
  const [usual] = await seen(await figure("plain"), "[part=heading]");
  assert.ok(usual.length > 3);
  assert.deepEqual(await seen(await figure("own"), "[part=heading]"), ["Head 3 after fine-tuning"]);
  for (const id of ["empty", "none"])
    assert.deepEqual(await seen(await figure(id), "[part=heading]"), [], id);
  assert.deepEqual(await seen(await figure("swap"), "[part=heading]"), ["Two orders"]);
  const scheme = await figure("scheme");
  await scheme.locator("wf-frame [part=heading]").waitFor();
  assert.deepEqual(await seen(scheme, "[part=heading]"), ["A ramp for each head"]);
  const plain = await figure("plain");
  for (const [value, wanted] of [
    ["Ours", ["Ours"]],
    ["", []],
    [undefined, [usual]],
    [false, []],
    [null, [usual]],
  ]) {
    await plain.evaluate(async (node, heading) => {
      node.heading = heading;
      await node.updateComplete;
      await node.shadowRoot.querySelector("wf-frame").updateComplete;
    }, value);
    assert.deepEqual(await seen(plain, "[part=heading]"), wanted, String(value));
  }
  const saved = page.waitForEvent("download");
  const other = await figure("own");
  await other.locator("button.svg").click();
  const chunks = [];
  for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk);
  assert.match(Buffer.concat(chunks).toString(), /Head 3 after fine-tuning/);
  assert.deepEqual(complaints, []);
  await close();
});

const chrome = [
  "button",
  "summary",
  "input",
  "select",
  "textarea",
  "table",
  ".small",
  ".stands",
  "wf-takeaway",
  "wf-choice",
  "wf-slider",
  "wf-several",
  "wf-text-line",
  "wf-map-overview",
];

test("`compact` leaves the picture, its scales and its caption", async () => {
  const { figure, complaints, close } = await opened("compact");
  for (const id of ["map", "chases", "scheme"]) {
    const found = await figure(id);
    await found.locator("wf-frame figcaption [part=reading]").waitFor();
    assert.deepEqual(await seen(found, chrome.join(", ")), [], id);
    assert.equal((await seen(found, "figcaption")).length, 1, id);
    assert.equal((await seen(found, "figcaption [part=heading]")).length, 1, id);
    assert.ok((await seen(found, "canvas")).length >= 2, `${id}: not only picture and scale`);
  }
  assert.deepEqual(await seen(await figure("swap"), "wf-takeaway"), []);
  const map = await figure("map");
  await map.evaluate(async (node) => {
    node.compact = false;
    await node.updateComplete;
  });
  await map.locator("wf-takeaway button.code").waitFor();
  assert.ok((await seen(map, "button")).length > 3);
  await map.evaluate((node) => node.setAttribute("compact", ""));
  await map.locator("figcaption").waitFor();
  assert.deepEqual(await seen(map, chrome.join(", ")), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("every part around a map can be styled from outside", async () => {
  const { figure, close } = await opened("parts");
  const map = await figure("map");
  await map.locator("wf-takeaway button.code").click();
  await map.locator("pre").waitFor();
  for (const part of parts) {
    const found = map.locator(`[part~=${part}]`).first();
    const colour = await found.evaluate((node) => getComputedStyle(node).outlineColor);
    assert.equal(colour, "rgb(200, 0, 0)", part);
  }
  await close();
});
