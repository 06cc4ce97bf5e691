// The page brings its Latin faces: what they cover, what they weigh, and that nothing moves when
// they come.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { accents, latin, letters, symbols } from "../../scripts/build/page-fonts.mjs";
import { fragment, laterFaces, numbersOf, openBrowser, openPage } from "./browser.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

let opened;
before(async () => {
  opened = await openBrowser();
});
after(() => opened.close());

test("each character that the page says is in one of its faces, Chinese apart", () => {
  const sources = readdirSync(new URL("web", root), { recursive: true })
    .filter((file) => /\.(?:ts|html)$/.test(file))
    .map((file) => read(`web/${file}`));
  const words = ["en", "zh"].map((language) =>
    read(`bindings/ts/generated/words.${language}.json`),
  );
  const said = new Set([...sources, ...words].join(""));
  // A cross, one small letter and an accent that stands over any letter: none of the faces has
  // them.
  const systems = "✗ₜ\u0302";
  const covered = new Set(`${latin}${letters}${symbols}${systems}\n`);
  const isChinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uff5f]/u;
  const missing = [...said].filter((sign) => !covered.has(sign) && !isChinese.test(sign));
  assert.deepEqual(missing, []);
});

test("the ranges in later-faces.css are the characters that the faces are cut to", () => {
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

test("the faces of the first screen weigh at most 48 KB, those of the English page 62", () => {
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

test("letters that the page does not say come when somebody types them", async () => {
  const asked = [];
  const { page, close } = await openPage(opened, {
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

test("what is shown in English is set in the page's own faces", async () => {
  const { page, complaints, close } = await openPage(opened, { hash: fragment("en") });
  await laterFaces(page);
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root: tree } = await session.send("DOM.getDocument");
  for (const selector of ["h1[lang=en]", "main > p[lang=en]", ".note[lang=en]", "pre", "main em"]) {
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: tree.nodeId, selector });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    const systems = fonts.filter(({ isCustomFont }) => !isCustomFont);
    assert.ok(fonts.length > 0, selector);
    assert.deepEqual(systems, [], selector);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the face of formulas has the sign of roots, which no formula's text holds", async () => {
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
  // A sign that the face lacks comes from the system here; around an <msqrt> it is left out.
  assert.deepEqual(
    fonts.map(({ isCustomFont }) => isCustomFont),
    [true],
  );
  await close();
});

for (const width of [1280, 390]) {
  test(`nothing moves when faces come late, pictures once for each, ${width} wide`, async () => {
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
      // They are told of later than they happen.
      globalThis.movedSince = (start) =>
        globalThis.shifts.reduce(
          (sum, { startTime, value }) => sum + (startTime >= start && value),
          0,
        );
    });
    // Not until it is loaded: the held files are a part of that.
    await page.goto(opened.address + fragment("en"), { waitUntil: "commit" });
    await page.waitForFunction(() => document.querySelector("wf-word-swap")?.data);
    const first = await page.evaluate(() => globalThis.movedSince(0));
    assert.ok(first < 0.002, `the first screen moved by ${first}`);
    // On a phone it stands too far below to be drawn by itself, and grows where it is looked at.
    await page.locator("wf-who-chases").evaluate((node) => node.scrollIntoView());
    await page.waitForFunction(
      () => document.querySelector("wf-who-chases")?.shadowRoot?.querySelector("wf-scene")?.picture,
    );
    await page.waitForFunction(() => document.querySelector("wf-who-chases").data);
    const found = await page.evaluate(async () => {
      const view = document.querySelector("wf-who-chases").shadowRoot.querySelector("wf-scene");
      await view.updateComplete;
      // What grew here has grown by then.
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
      // Is there anything on this machine that stands in?
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
    // Two frames, so that whatever is still to be drawn or to move has done so.
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
    // The later faces are asked for when those of the first screen are there.
    assert.ok([1, 2].includes(after.draws), `${after.draws}`);
    if (found.hasStandIn) assert.ok(after.moved < 0.02, `moved by ${after.moved}`);
    await context.close();
  });
}
