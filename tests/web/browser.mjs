// Opens the built page in Chromium, served as readers get it, and collects errors and warnings.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { pathOfFigure } from "../../scripts/build/prose.mjs";
import { serve } from "../../scripts/serve.mjs";
import { look } from "./looking.mjs";
import { openWiderCopy } from "./wider-page.mjs";

// `require` instead of `import`, which takes a third longer because it looks for all exports first;
// each test file, a process, would wait for that.
const { chromium } = createRequire(import.meta.url)("playwright-core");

const root = fileURLToPath(new URL("../../", import.meta.url));

export { pathOfFigure };

/** Folder of the page under test: the usual build, or the one in PAGE_FOLDER. */
export const pageFolder = process.env.PAGE_FOLDER ?? `${root}dist-web`;

const windowed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** The headless shell first: without windows, a page costs an eighth less. */
const executables = ["/usr/bin/chromium-headless-shell", ...windowed];
const firstOf = (paths) => process.env.CHROMIUM ?? paths.find((path) => existsSync(path));

// Chromium uses only the last such list of its command line, so this one repeats Playwright's. The
// last two are menus of the address bar, which no test uses: each window would open two more pages.
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

/** Options of a browser whose only fonts are those that the set-up installs. */
export const launchOptions = {
  // Looked up at each launch: the set-up may have installed one after this file was loaded.
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

/** Launches the full browser, for tests that need its windows. */
export const openWindowed = () =>
  chromium.launch({ ...launchOptions, executablePath: firstOf(windowed) });

/** "page": the page with its own fonts; "wide": with fonts that are a tenth wider. */
export const fontSet = process.env.WF_FONTS ?? "page";

/**
 * Serves a folder and launches a browser, or connects to the one at WF_BROWSER; `close()` ends
 * both. Pages of one context share a process, and so the compiled engine, as long as one of them is
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
 * Time limits: between two updates of a figure whose numbers a test waits for, and of any wait as
 * a whole.
 */
const quietMilliseconds = 60_000;
export const longestMilliseconds = 180_000;

/** Part of an address that makes the cost figure measure small sizes, which takes a moment. */
export const smallCosts = "&k=64.16.2&kt=128";

export const fragment = (language, more = "") => `#v=1&l=${language}${more}`;

/**
 * Options without the service worker, so that tests can count, delay and fail requests to the
 * network (offline.test.mjs tests the worker).
 */
const contextOptions = {
  viewport: { width: 1280, height: 900 },
  reducedMotion: "reduce",
  serviceWorkers: "block",
};
/** Playwright's message in each page whose service worker it blocks. */
const isBlockedWorker = (text) => text === "Service Worker registration blocked by Playwright";

/**
 * Returns the context of all pages that need these options. Its local storage is cleared for each
 * page.
 */
async function sharedContext({ browser, contexts }, options) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) {
    const context = await browser.newContext({ ...contextOptions, ...options });
    await context.addInitScript(() => {
      try {
        localStorage.clear();
      } catch {
        // A page without local storage.
      }
    });
    contexts.set(key, { context, last: undefined });
  }
  return contexts.get(key);
}

/**
 * Opens the page at a path of the site, by default the essay, after `prepare(page)` if given. With
 * `isAlone` it gets a separate context, which
 * keeps local storage; use that too for a page that would go on working after `close()`. Other
 * options are the context's. `complaints` collects page errors, errors and warnings of the console
 * (including requests to other origins, which the pages' policy forbids) and the server's error
 * statuses. Requests are not observed, since each would be a message between processes.
 */
export async function openPage(session, options = {}) {
  const {
    path = "",
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
  // No test asserts a duration: a wait for something that never comes fails late, with its name.
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
  await page.goto(session.address + path + hash);
  return {
    page,
    complaints,
    close: async () => {
      session.listeners.delete(complaints);
      if (!shared) return context.close();
      // Stays open until the next page is closed, which shares its compiled engine.
      await shared.last?.close();
      shared.last = page;
    },
  };
}

/**
 * Brings a page to the front: one behind another draws a frame every few seconds, if at all. The
 * page in front may belong to a test file in another process, so which it is cannot be stored.
 */
const toFront = (page) => page.bringToFront();

/** Rejects, with the message of `why()`, if a promise takes longer than so many milliseconds. */
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
    // If the element was replaced, the new one is looked up.
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
    // The figure was replaced: look up the new one.
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
 * Waits until a part's text, with single spaces, equals a string or matches a regular expression;
 * otherwise fails with the text that it has.
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

/** Follows a link within the open page: changes the fragment of the address without a reload. */
export async function follow(page, hash) {
  await toFront(page);
  await page.evaluate((to) => {
    const before = location.href;
    // The page's listener, added earlier, has run when this one runs.
    const told = new Promise((resolve) => {
      addEventListener("hashchange", resolve, { once: true });
    });
    location.hash = to;
    return location.href === before ? undefined : told.then(() => {});
  }, hash);
}

/**
 * Goes to the page of the site at a path, with this state: by a link within it if it is open, else
 * by a new load.
 */
export async function goTo(session, page, path, hash) {
  if (new URL(page.url()).href.split("#")[0] === session.address + path) return follow(page, hash);
  await toFront(page);
  await page.goto(session.address + path + hash);
}

/** Returns the centre of a grid's cell on the scene's canvas, in the picture as drawn now. */
export async function cellAt(scene, gridId, row, column) {
  const grid = await scene.evaluate(async (view, id) => {
    await view.updateComplete;
    const grid = view.picture.grids.find((each) => each.id === id);
    const { x, y, cellWidth, cellHeight, points } = grid;
    return { x, y, cellWidth, cellHeight, points };
  }, gridId);
  if (grid.points) return grid.points[column];
  return {
    x: grid.x + (column + 0.5) * grid.cellWidth,
    y: grid.y + (row + 0.5) * grid.cellHeight,
  };
}

/** Waits until a part keeps its bounding box for `frames` frames in a row. */
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

/** Waits for the fonts that the page loads after the first figure. */
export async function laterFaces(page) {
  const isNamed = () =>
    [...document.fonts].some(({ family }) => family.includes("Source Code Pro"));
  await page.waitForFunction(isNamed);
  await page.evaluate(() => document.fonts.ready);
}
