// Light or dark: painted, written and saved colours are those of the page around a figure, however
// they are set, and change with it.
import assert from "node:assert/strict";
import { text as readText } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { awaitNumbers, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

/**
 * Colours of the tokens: text, and the largest weight, which a cell and the end of the scale show.
 */
const inks = { light: "rgb(28, 29, 33)", dark: "rgb(233, 231, 225)" };
const peaks = { light: [14, 23, 59], dark: [247, 231, 146] };

const script = `import "whereformer/elements/attention-map";
for (const map of document.querySelectorAll("wf-attention-map")) {
  map.weights = [[1, 0], [0.25, 0.75]];
  map.tokens = ["to", "be"];
}
`;
const map = (id, more = "") => `<wf-attention-map id="${id}" ${more}></wf-attention-map>`;
const css = `
.scheme-dark { color-scheme: dark; background: #1e1e1e }
.scheme-light { color-scheme: light; background: #fff }
.dark .card { color-scheme: dark; background: #111 }
body[data-jp-theme-light="false"] { background: #111; color: rgba(255, 255, 255, 0.87) }
.both { color-scheme: light dark }
.slow { transition: color 0.2s, background 0.2s }
.tag wf-attention-map { color-scheme: dark }
.night { background: #101418; color: #dde }
`;
const own = `:root { color-scheme: dark; --wf-paper: black; --wf-weight-0: rgb(0 0 0);
  --wf-weight-5: light-dark(rgb(14, 23, 59), rgb(247, 231, 146)); --wf-hair: oklch(0.4 0 0) }`;
const sheet = '<link rel="stylesheet" href="./grounds.css">';
const frame = (name, body, head = sheet, of = "") =>
  `${headOf(name, "en", head).replace("<html", `<html ${of}`)}<body>${body}</body></html>`;
const meta = (content) => `<meta name="color-scheme" content="${content}">`;

const pages = {
  places: frame(
    "places",
    `${map("plain")}<div class="scheme-dark">${map("dark")}
<div class="scheme-light">${map("inner")}</div>${map("given", 'theme="light"')}</div>
<div class="dark"><div class="card">${map("card")}</div></div>
<div class="both">${map("both")}</div><x-host></x-host>`,
  ),
  metadark: frame("metadark", map("map"), meta("dark")),
  metaboth: frame("metaboth", map("map"), meta("light dark")),
  lab: frame("lab", map("map"), sheet),
  silent: frame("silent", `<div class="slow">${map("map")}</div>`),
  own: frame("own", map("map"), '<link rel="stylesheet" href="./own.css">'),
};
const inShadow = `customElements.define("x-host", class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).innerHTML =
      '<div><wf-attention-map id="shadowed"></wf-attention-map></div>';
    this.shadowRoot.querySelector("div").style.colorScheme = "dark";
    Object.assign(this.shadowRoot.querySelector("wf-attention-map"),
      { weights: [[1, 0], [0.25, 0.75]], tokens: ["to", "be"] });
  }
});
`;

let session;
before(async () => {
  const built = Object.fromEntries(
    Object.entries(pages).map(([name, html]) => [
      name,
      [html, name === "places" ? script + inShadow : script],
    ]),
  );
  const files = { "grounds.css": css, "own.css": own };
  session = await openBrowser(await buildHost("host-grounds", built, files));
});
after(() => session.close());

/** "light" or "dark" if map, scale and title of a figure agree; otherwise all three as JSON. */
const sideOf = (page, selector) =>
  page.locator(selector).evaluate(
    (figure, { inks, peaks }) => {
      const sideOfCanvas = (canvas) => {
        if (!canvas?.width) return "none";
        // Reads a copy, because a canvas that is read often is moved out of graphics memory.
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext("2d");
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        const found = Object.entries(peaks).filter(([, [r, g, b]]) => {
          for (let at = 0; at < data.length; at += 4)
            if (data[at] === r && data[at + 1] === g && data[at + 2] === b) return true;
          return false;
        });
        return found.map(([side]) => side).join("+") || "none";
      };
      const inside = figure.shadowRoot;
      const scale = inside.querySelector("wf-scale")?.shadowRoot.querySelector("wf-scene");
      const title = inside.querySelector("wf-frame")?.shadowRoot.querySelector("h3");
      const ink = title && getComputedStyle(title).color;
      const sides = {
        map: sideOfCanvas(inside.querySelector("wf-map-view")?.shadowRoot.querySelector("canvas")),
        scale: sideOfCanvas(scale?.shadowRoot.querySelector("canvas")),
        text: Object.keys(inks).find((side) => inks[side] === ink) ?? ink,
      };
      const all = new Set(Object.values(sides));
      return all.size === 1 ? [...all][0] : JSON.stringify(sides);
    },
    { inks, peaks },
  );

/** Waits until all of a figure is "light" or "dark"; otherwise fails with its last state. */
async function becomes(page, selector, side) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  // The map, which is painted only in the window, may lie below a row of controls.
  await page.locator(`${selector} wf-map-view`).first().scrollIntoViewIfNeeded();
  let last;
  for (let tries = 0; tries < 200 && last !== side; tries += 1) {
    last = await sideOf(page, selector);
    if (last !== side) await page.waitForTimeout(50);
  }
  assert.equal(last, side, selector);
}

async function opened(name, options = {}) {
  const it = await openPage(session, { hash: `${name}.html`, ...options });
  await awaitNumbers(it.page, "wf-attention-map");
  return it;
}

for (const colorScheme of ["light", "dark"])
  test(`each figure has the colours around it, with a ${colorScheme} system`, async () => {
    const { page, complaints, close } = await opened("places", { colorScheme });
    // No colour scheme is set there: the page is white whatever the system prefers.
    await becomes(page, "#plain", "light");
    await becomes(page, "#dark", "dark");
    await becomes(page, "#inner", "light");
    await becomes(page, "#given", "light");
    await becomes(page, "#card", "dark");
    await becomes(page, "#both", colorScheme);
    await becomes(page, "#shadowed", "dark");
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
      "normal",
      "the page's own colour scheme was changed",
    );
    assert.deepEqual(complaints, []);
    await close();
  });

test("a figure follows changes around it: a class, a style, a move to another parent", async () => {
  const { page, close } = await opened("places");
  await becomes(page, "#dark", "dark");
  await page.evaluate(() => {
    document.querySelector(".scheme-dark").className = "scheme-light";
  });
  await becomes(page, "#dark", "light");
  await page.evaluate(() => document.querySelector(".dark").classList.remove("dark"));
  await becomes(page, "#card", "light");
  await page.evaluate(() => {
    document.querySelector("#card").style.colorScheme = "dark";
  });
  await becomes(page, "#card", "dark");
  await page.evaluate(() => {
    const night = document.createElement("div");
    night.style.colorScheme = "dark";
    document.body.append(night);
    night.append(document.querySelector("#plain"));
  });
  await becomes(page, "#plain", "dark");
  await close();
});

test("a figure follows the system if the page does", async () => {
  for (const [name, selector] of [
    ["places", "#both"],
    ["metaboth", "#map"],
  ]) {
    const { page, close } = await opened(name);
    await becomes(page, selector, "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await becomes(page, selector, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await becomes(page, selector, "light");
    await close();
  }
});

test("<meta name=color-scheme> counts, and may change", async () => {
  const { page, close } = await opened("metadark");
  await becomes(page, "#map", "dark");
  await page.evaluate(() => {
    document.querySelector("meta[name=color-scheme]").content = "light";
  });
  await becomes(page, "#map", "light");
  await close();
});

test("a page may set some of the colours; the figure adds the others", async () => {
  const { page, close } = await opened("own");
  await becomes(page, "#map", "dark");
  const palette = await page
    .locator("#map wf-scale wf-scene")
    .first()
    .evaluate((scene) => scene.palette);
  assert.deepEqual([palette.paper, palette.weight[0]], ["#000000", "#000000"]);
  assert.match(palette.hair, /^#4[0-9a-f](4[0-9a-f]){2}$/);
  // The page does not set this one.
  assert.equal(palette.ink, "#e9e7e1");
  await close();
});

test("JupyterLab: by color-scheme, in older versions by the colour of the text", async () => {
  const { page, close } = await opened("lab");
  await becomes(page, "#map", "light");
  await page.evaluate(() => {
    // As in JupyterLab from 4.3 on.
    document.body.dataset.jpThemeLight = "false";
    document.body.style.colorScheme = "dark";
  });
  await becomes(page, "#map", "dark");
  await page.evaluate(() => {
    document.body.dataset.jpThemeLight = "true";
    document.body.style.colorScheme = "light";
  });
  await becomes(page, "#map", "light");
  await page.evaluate(() => {
    document.body.dataset.jpThemeLight = "false";
    document.body.style.colorScheme = "";
  });
  await becomes(page, "#map", "dark");
  await close();
});

test("without a colour scheme, the colour of the text around decides", async () => {
  const { page, close } = await opened("silent");
  await becomes(page, "#map", "light");
  await page.evaluate(() => document.querySelector(".slow").classList.add("night"));
  await becomes(page, "#map", "dark");
  await page.evaluate(() => document.querySelector(".slow").classList.remove("night"));
  await becomes(page, "#map", "light");
  await close();
});

test("`theme` is a property and an attribute, and can be removed", async () => {
  const { page, close } = await opened("places");
  const set = (theme) =>
    page.locator("#dark").evaluate((node, value) => {
      node.theme = value;
    }, theme);
  const write = (theme) =>
    page.locator("#dark").evaluate((node, value) => node.setAttribute("theme", value), theme);
  await becomes(page, "#dark", "dark");
  await set("light");
  await becomes(page, "#dark", "light");
  for (const none of ["auto", undefined, "", null]) {
    await set("light");
    await becomes(page, "#dark", "light");
    await set(none);
    await becomes(page, "#dark", "dark");
  }
  await write("light");
  await becomes(page, "#dark", "light");
  await write("auto");
  await becomes(page, "#dark", "dark");
  // A style sheet's rule for the tag does not override it.
  await page.evaluate(() => document.body.classList.add("tag"));
  await set("light");
  await becomes(page, "#dark", "light");
  await close();
});

test("a saved picture has the colours around the figure", async () => {
  const { page, close } = await opened("places");
  for (const [id, side] of [
    ["plain", "light"],
    ["dark", "dark"],
  ]) {
    await becomes(page, `#${id}`, side);
    const saving = page.waitForEvent("download");
    await page.locator(`#${id} wf-takeaway button.svg`).click();
    const text = await readText(await (await saving).createReadStream());
    const hex = (rgb) => `#${rgb.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
    const other = side === "light" ? "dark" : "light";
    assert.ok(text.includes(hex(peaks[side])), `${id}: ${text.slice(0, 300)}`);
    assert.ok(!text.includes(hex(peaks[other])), id);
  }
  await close();
});
