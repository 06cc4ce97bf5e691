// The built page in Chromium, served as it is served to readers, with an eye on what must not happen.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../scripts/serve.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is tested: the built page, or another build of it. */
export const pageFolder = process.env.PAGE_FOLDER ?? `${root}dist-web`;

const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Serves a folder and starts a browser; `close()` ends both. */
export async function openBrowser(folder = pageFolder) {
  const { address, close } = await serve({ folder, port: 0 });
  const executablePath = process.env.CHROMIUM ?? executables.find((path) => existsSync(path));
  const browser = await chromium.launch({ executablePath, args: flags });
  return {
    browser,
    address,
    close: async () => {
      await browser.close();
      await close();
    },
  };
}

export const fragment = (language, more = "") => `#v=1&l=${language}${more}`;

/**
 * Opens the page in a fresh context. `complaints` collects console errors, page errors, violations of
 * the content security policy and requests to other origins.
 */
export async function openPage({ browser, address }, options = {}) {
  const {
    hash = fragment("en"),
    width = 1280,
    height = 900,
    colorScheme = "light",
    ...rest
  } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
    ...rest,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = ["data:", "blob:"].includes(protocol) || origin === new URL(address).origin;
    if (!isOwn) complaints.push(`request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`status ${response.status()}: ${response.url()}`);
  });
  await page.goto(address + hash);
  return { page, complaints, close: () => context.close() };
}

/** So long a figure may stand still while it has not the numbers that are waited for, and so long it may take. */
const quietMilliseconds = 60_000;
const longestMilliseconds = 180_000;

/** The numbers of a figure, and what it says while there are none: that files come, or what failed. */
const lookAt = (page, tag) =>
  page.evaluate((name) => {
    const figure = document.querySelector(name);
    const { failure, reading, waiting } = figure?.shadowRoot?.querySelector("wf-frame") ?? {};
    return { data: figure?.data, said: failure?.message ?? (reading || waiting || "nothing") };
  }, tag);

/** Waits until a figure has numbers that `ready` accepts. Nothing is scrolled: the pointer stays on what it points at. */
export async function awaitNumbers(page, tag, ready = () => true) {
  const start = Date.now();
  let last = { said: "", since: start };
  for (;;) {
    const { data, said } = await lookAt(page, tag);
    if (data !== undefined && data !== null && ready(data)) return data;
    const now = Date.now();
    if (said !== last.said) last = { said, since: now };
    if (now - last.since > quietMilliseconds || now - start > longestMilliseconds)
      throw new Error(`${tag} has no such numbers after ${now - start} ms; it says: ${said}`);
    await page.waitForTimeout(50);
  }
}

/** Scrolls to a figure, so that it wakes, and waits for such numbers. */
export async function numbersOf(page, tag, ready) {
  // What is not drawn yet has no place to scroll to.
  await page.waitForFunction((name) => document.querySelector(name)?.hasUpdated, tag);
  await page.locator(tag).scrollIntoViewIfNeeded();
  return awaitNumbers(page, tag, ready);
}

/** Where a cell of a scene's grid lies on its canvas, in the picture as it is drawn now. */
export async function cellAt(page, tag, scene, gridId, row, column) {
  const grid = await page.evaluate(
    async ([name, selector, id]) => {
      const view = document.querySelector(name).shadowRoot.querySelector(selector);
      await view.updateComplete;
      const { x, y, cellWidth, cellHeight } = view.picture.grids.find((each) => each.id === id);
      return { x, y, cellWidth, cellHeight };
    },
    [tag, scene, gridId],
  );
  return {
    x: grid.x + (column + 0.5) * grid.cellWidth,
    y: grid.y + (row + 0.5) * grid.cellHeight,
  };
}

/** Waits until two frames in a row show a part at the same place. */
export async function settled(locator) {
  const place = () => locator.evaluate((node) => JSON.stringify(node.getBoundingClientRect()));
  for (let before = await place(), same = 0; same < 5; ) {
    await locator.page().waitForTimeout(100);
    const now = await place();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
