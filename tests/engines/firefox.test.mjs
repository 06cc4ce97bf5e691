// Firefox: the package must compute the numbers of Node, and the page must open without errors.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { serve } from "../../scripts/serve.mjs";
import { assertEachIsRead, serveMemoryPage } from "../web/memory-page.mjs";
import { compareWithNode, openSite } from "./site.mjs";

const executablePath = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) =>
  existsSync(path),
);
let browser;
before(async () => {
  browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
});
after(() => browser?.close());

async function open(address) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(address);
  return { page, complaints };
}

async function compute(entry) {
  const site = await openSite(entry);
  try {
    const { page, complaints } = await open(site.address);
    // A function, not a string: the policy forbids evaluation of strings.
    await page.waitForFunction(() => document.title !== "waiting", { polling: 200 });
    const text = await page.$eval("pre", (element) => element.textContent);
    assert.equal(await page.title(), "done", text);
    assert.deepEqual(complaints, []);
    const found = JSON.parse(text);
    await compareWithNode(found);
    return found;
  } finally {
    await site.close();
  }
}

test("Firefox computes what Node computes", async () => {
  assert.equal((await compute("index.js")).threads, 1);
});

test("in an isolated page, Firefox computes the same with several threads", async () => {
  const { threads } = await compute("threads.js");
  assert.equal(threads, Math.min(availableParallelism(), 4));
});

test("the page's first figure has numbers in Firefox", async () => {
  const server = await serve({ port: 0 });
  try {
    const { page, complaints } = await open(server.address);
    await page.waitForSelector("wf-who-chases");
    await page.$eval("wf-who-chases", (element) => element.scrollIntoView());
    const hasNumbers = () => Boolean(document.querySelector("wf-who-chases").data);
    await page.waitForFunction(hasNumbers, { polling: 200, timeout: 60_000 });
    assert.deepEqual(complaints, []);
  } finally {
    await server.close();
  }
});

test("memory of every kind and objects of a frame work like the page's own", async () => {
  const { address, close } = await serveMemoryPage();
  try {
    const { page } = await open(address);
    await assertEachIsRead(page);
  } finally {
    close();
  }
});
