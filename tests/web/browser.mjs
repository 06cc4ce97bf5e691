// The built page in Chromium, served as it is served to readers, with an eye on what must not
// happen.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { serve } from "../../scripts/serve.mjs";
import { look } from "./looking.mjs";
import { openWiderCopy } from "./wider-page.mjs";

// Each test file is a process, and to import this library takes a third longer: all that it exports
// is looked for first.
const { chromium } = createRequire(import.meta.url)("playwright-core");

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is tested: the built page, or another build of it. */
export const pageFolder = process.env.PAGE_FOLDER ?? `${root}dist-web`;

const windowed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** First the one that has no windows to keep: a page costs it an eighth less. */
const executables = ["/usr/bin/chromium-headless-shell", ...windowed];
const firstOf = (paths) => process.env.CHROMIUM ?? paths.find((path) => existsSync(path));

// The last list of a browser's command line counts, so Playwright's own stands here too. The two
// at the end are menus of the address bar that nobody sees: two more pages with each window.
const withoutFeatures = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** A browser that knows no fonts but those that the set-up installs. */
export const launchOptions = {
  // Asked when a browser is started: set-up may have brought one since this file was read.
  get executablePath() {
    return firstOf(executables);
  },
  env: {
    ...process.env,
    FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)),
  },
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
    // Letters as wide as in a window.
    "--font-render-hinting=none",
    `--disable-features=${withoutFeatures}`,
  ],
};

/** The whole browser, for what only its windows know. */
export const openWindowed = () =>
  chromium.launch({ ...launchOptions, executablePath: firstOf(windowed) });

/** "own": the page with its own faces; "wide": with faces that are a tenth wider. */
export const fontSet = process.env.WF_FONTS ?? "own";

/**
 * Serves a folder and opens a browser, or a door to the one that WF_BROWSER names; `close()` ends
 * both. Pages of one context share a process, and with it the compiled engine, while one of them is
 * open.
 */
export async function openBrowser(folder = pageFolder, { fonts = fontSet } = {}) {
  const copy = fonts === "wide" ? openWiderCopy(folder) : undefined;
  const { address, server, close } = await serve({ folder: copy?.folder ?? folder, port: 0 });
  const listeners = new Set();
  server.on("request", ({ url }, response) => {
    response.once("finish", () => {
      const { statusCode } = response;
      if (statusCode >= 400)
        for (const said of listeners) said.push(`status ${statusCode}: ${url}`);
    });
  });
  const shared = process.env.WF_BROWSER;
  const browser = await (shared ? chromium.connect(shared) : chromium.launch(launchOptions));
  return {
    browser,
    address,
    contexts: new Map(),
    listeners,
    close: async () => {
      await browser.close();
      await close();
      copy?.close();
    },
  };
}

/**
 * So long a figure may stand still without the numbers that are waited for, and so long it may
 * take, as anything else may.
 */
const quietMilliseconds = 60_000;
export const longestMilliseconds = 180_000;

/** What an address says so that costs are measured in small, in a moment. */
export const smallCosts = "&k=64.16.2&kt=128";

export const fragment = (language, more = "") => `#v=1&l=${language}${more}`;

/**
 * Without the service worker: what a test counts, holds back or loses is the network's
 * (offline.test.mjs has the worker).
 */
const contextOptions = {
  viewport: { width: 1280, height: 900 },
  reducedMotion: "reduce",
  serviceWorkers: "block",
};
/** What Playwright says in each page that is refused its worker. */
const isBlockedWorker = (text) => text === "Service Worker registration blocked by Playwright";

/**
 * Where pages are opened that need the same options of a context. They remember nothing of each
 * other.
 */
async function sharedContext({ browser, contexts }, options) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) {
    const context = await browser.newContext({ ...contextOptions, ...options });
    await context.addInitScript(() => {
      try {
        localStorage.clear();
      } catch {
        // A page without memory.
      }
    });
    contexts.set(key, { context, last: undefined });
  }
  return contexts.get(key);
}

/**
 * Opens the page, after `prepare(page)` where that is given. With `isAlone` it gets a context of
 * its own, with memory; so does what goes on working when it is closed. Other options are the
 * context's. `complaints` collects page errors, what the console is told, of requests to other
 * origins too, which the pages' policy forbids, and what the server did not find. Requests
 * themselves are not listened to: that is a message from process to process for each.
 */
export async function openPage(session, options = {}) {
  const {
    hash = fragment("en"),
    width = 1280,
    height = 900,
    colorScheme = "light",
    prepare,
    isAlone = false,
    ...rest
  } = options;
  const shared = isAlone ? undefined : await sharedContext(session, rest);
  const context =
    shared?.context ?? (await session.browser.newContext({ ...contextOptions, ...rest }));
  const page = await context.newPage();
  // Nothing is asserted by a clock: what never comes fails late, and by its name.
  page.setDefaultTimeout(longestMilliseconds);
  const { viewport } = contextOptions;
  if (width !== viewport.width || height !== viewport.height)
    await page.setViewportSize({ width, height });
  if (colorScheme !== "light") await page.emulateMedia({ colorScheme });
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isBlockedWorker(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  session.listeners.add(complaints);
  await prepare?.(page);
  await page.goto(session.address + hash);
  return {
    page,
    complaints,
    close: async () => {
      session.listeners.delete(complaints);
      if (!shared) return context.close();
      // The page stays until the next one is closed: what it has compiled is that one's too.
      await shared.last?.close();
      shared.last = page;
    },
  };
}

/**
 * A page behind another one draws a frame every few seconds, if at all. The other one may be that
 * of a test file in another process, so nobody can remember who is in front.
 */
const toFront = (page) => page.bringToFront();

/** Fails, for a reason that `why` gives, where a promise is not kept in so many milliseconds. */
async function within(milliseconds, promise, why) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(why())), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Scrolls to a part until it is in the window. */
export async function bringIntoView(locator) {
  await toFront(locator.page());
  const come = async () => {
    // What has been drawn anew is looked for again.
    while ((await locator.evaluate(look, { comesNear: true })).isGone);
  };
  await within(longestMilliseconds, come(), () => `${locator} does not come into view`);
}

/** Clicks a button of a figure, and waits for a part that may be gone again before a test looks. */
export const clickAndSee = (figure, button, part) =>
  figure.evaluate(
    ({ shadowRoot }, [clicked, seen]) =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!shadowRoot.querySelector(seen)) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(shadowRoot, { childList: true, subtree: true });
        shadowRoot.querySelector(clicked).click();
      }),
    [button, part],
  );

/** Waits until a figure has numbers that `ready` accepts; `comesNear` brings it into view first. */
function numbersWithin(page, tag, ready, comesNear) {
  let seen;
  const why = () => `${tag} does not get such numbers; it says: ${seen?.said}`;
  const lookOn = async () => {
    const figure = await page.locator(tag).first().elementHandle();
    seen = await figure.evaluate(look, { comesNear, after: -1 });
    while (!seen.isGone) {
      if (seen.data !== undefined && seen.data !== null && ready(seen.data)) return seen.data;
      const next = figure.evaluate(look, { after: seen.count });
      seen = await within(quietMilliseconds, next, why);
    }
    // Drawn anew: another stands in its place, or will.
    return lookOn();
  };
  return within(longestMilliseconds, lookOn(), why);
}

/**
 * Waits until a figure has numbers that `ready` accepts. Nothing is scrolled: the pointer stays on
 * what it points at.
 */
export const awaitNumbers = (page, tag, ready = () => true) =>
  numbersWithin(page, tag, ready, false);

/** Brings a figure into view, so that it wakes, and waits for such numbers. */
export async function numbersOf(page, tag, ready = () => true) {
  await toFront(page);
  return numbersWithin(page, tag, ready, true);
}

/**
 * Waits until a part's text, with single spaces, is this one or matches it; else says what it is.
 */
export async function awaitText(locator, wanted) {
  const isExact = typeof wanted === "string";
  const pattern = isExact ? "" : wanted.source;
  const spaced = (text) => text.replace(/\s+/g, " ").trim();
  try {
    await locator.page().waitForFunction(
      ({ node, exact, source, flags }) => {
        const text = node.textContent.replace(/\s+/g, " ").trim();
        return source ? new RegExp(source, flags).test(text) : text === exact;
      },
      {
        node: await locator.elementHandle(),
        exact: isExact ? spaced(wanted) : "",
        source: pattern,
        flags: isExact ? "" : wanted.flags,
      },
    );
  } catch {
    const text = spaced(await locator.textContent());
    if (isExact) assert.equal(text, spaced(wanted));
    else assert.match(text, wanted);
  }
}

/** Follows a link inside the page that is open: the address changes, nothing is loaded again. */
export async function follow(page, hash) {
  await toFront(page);
  await page.evaluate((to) => {
    const before = location.href;
    // The page, which was there before, has been told when this one is.
    const told = new Promise((resolve) => {
      addEventListener("hashchange", resolve, { once: true });
    });
    location.hash = to;
    return location.href === before ? undefined : told.then(() => {});
  }, hash);
}

/** Where a cell of a scene's grid lies on its canvas, in the picture as it is drawn now. */
export async function cellAt(scene, gridId, row, column) {
  const grid = await scene.evaluate(async (view, id) => {
    await view.updateComplete;
    const { x, y, cellWidth, cellHeight } = view.picture.grids.find((each) => each.id === id);
    return { x, y, cellWidth, cellHeight };
  }, gridId);
  return {
    x: grid.x + (column + 0.5) * grid.cellWidth,
    y: grid.y + (row + 0.5) * grid.cellHeight,
  };
}

/** Waits until so many frames in a row show a part at the same place. */
export const settled = (locator, frames = 10) =>
  locator.evaluate(
    (node, count) =>
      new Promise((resolve) => {
        let before = "";
        let same = 0;
        const look = () => {
          const now = JSON.stringify(node.getBoundingClientRect());
          same = now === before ? same + 1 : 0;
          before = now;
          if (same === count) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    frames,
  );

/** Waits for the faces that are asked for after the first figure, where text is set in them. */
export async function laterFaces(page) {
  const isNamed = () =>
    [...document.fonts].some(({ family }) => family.includes("Source Code Pro"));
  await page.waitForFunction(isNamed);
  await page.evaluate(() => document.fonts.ready);
}
