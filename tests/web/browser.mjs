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

/** Waits until a figure has numbers that `ready` accepts, scrolling to it so that it wakes, and returns them. */
export async function numbersOf(page, tag, ready = () => true) {
  await page.locator(tag).scrollIntoViewIfNeeded();
  const deadline = Date.now() + 60_000;
  for (;;) {
    const data = await page.evaluate((name) => document.querySelector(name)?.data, tag);
    if (data !== undefined && data !== null && ready(data)) return data;
    if (Date.now() > deadline) throw new Error(`${tag} has no such numbers after a minute`);
    await page.waitForTimeout(50);
  }
}
