// The page's Latin fonts: their characters, their bytes, and no shift of layout when they load.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { accents, latin, letters, symbols } from "../../scripts/build/page-fonts.mjs";
import {
  fragment,
  laterFaces,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

let opened;
before(async () => {
  opened = await openBrowser();
});
after(() => opened.close());

test("every character of the page except Chinese is in one of its fonts", () => {
  const sources = readdirSync(new URL("web", root), { recursive: true })
    .filter((file) => /\.(?:ts|html)$/.test(file))
    .map((file) => read(`web/${file}`));
  const words = ["en", "zh"].map((language) =>
    read(`bindings/ts/generated/words.${language}.json`),
  );
  const said = new Set([...sources, ...words].join(""));
  // A cross, a subscript letter and a combining accent, which none of the fonts has.
  const systems = "✗ₜ\u0302";
  const covered = new Set(`${latin}${letters}${symbols}${systems}\n`);
  const isChinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uff5f]/u;
  const missing = [...said].filter((sign) => !covered.has(sign) && !isChinese.test(sign));
  assert.deepEqual(missing, []);
});

test("the ranges in later-faces.css are the characters of the font files", () => {
  const ranges = [...read("web/styles/later-faces.css").matchAll(/unicode-range:([^;]*);/g)].map(
    ([, list]) =>
      list.split(",").flatMap((range) => {
        const [first, last = first] = range.trim().slice(2).split("-");
        const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
        return Array.from({ length: to - from + 1 }, (_, index) => from + index);
      }),
  );
  const points = (text) => [...text].map((sign) => sign.codePointAt(0)).sort((a, b) => a - b);
  const ofEachFace = Array(4).fill(points(accents));
  assert.deepEqual(ranges, [points(symbols), points(letters), ...ofEachFace]);
});

test("the fonts of the first screen have at most 48 KB, those of the English page 62 KB", () => {
  const assets = new URL("dist-web/assets/", root);
  const faces = readdirSync(assets).filter((name) => name.endsWith(".woff2"));
  const sizeOf = (names) =>
    names.reduce((sum, name) => sum + statSync(new URL(name, assets)).size, 0);
  const named = (names) => faces.filter((name) => names.test(name) && !/accents/.test(name));
  const first = named(/^(?:serif|sans)/);
  const all = named(/^(?!formula)/);
  assert.deepEqual([first.length, all.length], [3, 6], faces.join());
  assert.ok(sizeOf(first) <= 48_000, `${sizeOf(first)} bytes`);
  assert.ok(sizeOf(all) <= 62_000, `${sizeOf(all)} bytes`);
});

test("letters outside of the page's texts are loaded when somebody types them", async () => {
  const asked = [];
  const { page, close } = await openPage(opened, {
    path: pathOfFigure("wf-who-chases"),
    hash: fragment("en"),
    isAlone: true,
    prepare: (before) => before.on("request", (request) => asked.push(request.url())),
  });
  await numbersOf(page, "wf-who-chases");
  await laterFaces(page);
  assert.ok(!asked.some((url) => /-accents/.test(url)));
  const come = page.waitForRequest(/sans-accents/);
  await page.locator("wf-who-chases input[type=text]").fill("le chat gêne Zoë");
  await come;
  await close();
});

test("English text is set in the page's own fonts", async () => {
  const { page, complaints, close } = await openPage(opened, { hash: fragment("en") });
  await laterFaces(page);
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root: tree } = await session.send("DOM.getDocument");
  for (const selector of [
    "h1[lang=en]",
    ".hero > p[lang=en]",
    ".note[lang=en]",
    "summary",
    "main em",
  ]) {
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: tree.nodeId, selector });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    const systems = fonts.filter(({ isCustomFont }) => !isCustomFont);
    assert.ok(fonts.length > 0, selector);
    assert.deepEqual(systems, [], selector);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the font of formulas has the root sign, although no formula's text contains it", async () => {
  const { page, close } = await openPage(opened, { hash: fragment("en") });
  await laterFaces(page);
  await page.evaluate(async () => {
    const sign = document.createElement("span");
    sign.id = "sign";
    sign.style.font = "20px 'STIX Two Math'";
    sign.textContent = "√";
    document.body.append(sign);
    await document.fonts.load("20px 'STIX Two Math'", "√");
  });
  const tools = await page.context().newCDPSession(page);
  await tools.send("DOM.enable");
  await tools.send("CSS.enable");
  const { root } = await tools.send("DOM.getDocument");
  const { nodeId } = await tools.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: "#sign",
  });
  const { fonts } = await tools.send("CSS.getPlatformFontsForNode", { nodeId });
  // A missing sign would come from a system font; around an <msqrt> it would be left out.
  assert.deepEqual(
    fonts.map(({ isCustomFont }) => isCustomFont),
    [true],
  );
  await close();
});

for (const width of [1280, 390]) {
  test(`late fonts shift no layout, and redraw each picture once, ${width} wide`, async () => {
    const context = await opened.browser.newContext({
      viewport: { width, height: 900 },
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route("**/*.woff2", async (route) => {
      await held;
      await route.continue();
    });
    await page.addInitScript(() => {
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        globalThis.shifts.push(...list.getEntries());
      }).observe({ type: "layout-shift", buffered: true });
      // The browser reports layout shifts with a delay.
      globalThis.movedSince = (start) =>
        globalThis.shifts.reduce(
          (sum, { startTime, value }) => sum + (startTime >= start && value),
          0,
        );
    });
    // Does not wait for `load`, which the delayed fonts hold back.
    await page.goto(opened.address + fragment("en"), { waitUntil: "commit" });
    await page.waitForFunction(() => document.querySelector("wf-word-swap")?.data);
    const first = await page.evaluate(() => globalThis.movedSince(0));
    assert.ok(first < 0.002, `the first screen shifts by ${first}`);
    // On a phone the figure is too far below to be drawn by itself, and grows when scrolled to.
    await page.locator("wf-who-chases").evaluate((node) => node.scrollIntoView());
    await page.waitForFunction(
      () => document.querySelector("wf-who-chases")?.shadowRoot?.querySelector("wf-scene")?.picture,
    );
    await page.waitForFunction(() => document.querySelector("wf-who-chases").data);
    const found = await page.evaluate(async () => {
      const view = document.querySelector("wf-who-chases").shadowRoot.querySelector("wf-scene");
      await view.updateComplete;
      // Lets such growth happen first.
      for (let frame = 0; frame < 3; frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      globalThis.start = performance.now();
      const { willUpdate } = view;
      globalThis.draws = 0;
      view.willUpdate = function (changed) {
        globalThis.draws += 1;
        return willUpdate.call(this, changed);
      };
      globalThis.before = view.picture;
      // Does this machine have a font for the page's fallbacks?
      const hasStandIn = [...document.fonts].some(
        ({ family, status }) => /stand-in for serif/i.test(family) && status === "loaded",
      );
      return { faces: view.picture.faces, hasStandIn };
    });
    assert.match(found.faces, /^"Source Sans 3"/);
    release();
    await page.waitForFunction(() => {
      const view = document.querySelector("wf-who-chases").shadowRoot.querySelector("wf-scene");
      return document.fonts.status === "loaded" && view.picture !== globalThis.before;
    });
    // Waits two frames for pending drawing and layout.
    const after = await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() =>
              setTimeout(() =>
                resolve({
                  draws: globalThis.draws,
                  moved: globalThis.movedSince(globalThis.start),
                }),
              ),
            ),
          );
        }),
    );
    // The later fonts are requested when those of the first screen have loaded.
    assert.ok([1, 2].includes(after.draws), `${after.draws}`);
    if (found.hasStandIn) assert.ok(after.moved < 0.02, `layout shifts by ${after.moved}`);
    await context.close();
  });
}
