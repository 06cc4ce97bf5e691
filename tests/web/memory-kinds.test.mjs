// In Chromium, memory of every kind and objects of another frame work like the page's own.
import { test } from "node:test";
import { chromium } from "playwright-core";
import { launchOptions } from "./browser.mjs";
import { assertEachIsRead, serveMemoryPage } from "./memory-page.mjs";

test("memory of every kind and a frame's objects work in Chromium", async (context) => {
  const { address, close } = await serveMemoryPage();
  context.after(close);
  const browser = await chromium.launch(launchOptions);
  context.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(address);
  await assertEachIsRead(page);
});
