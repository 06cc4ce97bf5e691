// The article without a network after one visit, and as an installable app.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  bringIntoView,
  fragment,
  longestMilliseconds,
  numbersOf,
  openBrowser,
  openWindowed,
  pathOfFigure,
} from "./browser.mjs";
import { openSite } from "./release-site.mjs";

const first = "wf-word-swap";
// Figures far down that need only the engine, and one whose models are megabytes.
const unseen = ["wf-stretch", "wf-turning-pairs"];
const elsewhere = ["wf-cache-bytes", "wf-costs", "wf-chooser"];
const trained = "wf-real-heads";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Opens a separate site in a context that allows the service worker. */
async function openReader(
  context,
  { path = fragment("en"), prepare, browser = session.browser } = {},
) {
  const site = await openSite();
  const reader = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    serviceWorkers: "allow",
  });
  context.after(async () => {
    await reader.close();
    await site.close();
  });
  const page = await reader.newPage();
  // A newer worker takes over after the older one's fetches have ended: late on a busy machine.
  page.setDefaultTimeout(longestMilliseconds);
  await prepare?.(page);
  await page.goto(site.address + path);
  const lose = async () => {
    await reader.setOffline(true);
    await site.stop();
  };
  const find = async () => {
    await site.start();
    await reader.setOffline(false);
  };
  return { site, page, reader, lose, find };
}

/** Waits until the page is stored and the service worker controls it. */
const kept = (page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (serviceWorker.controller) return;
    await new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
  });

/** Final state of a newer release's worker: "installed" if complete, else "redundant". */
const newerIs = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found =
      registration.waiting ??
      registration.installing ??
      (await new Promise((resolve) => {
        const tell = () => resolve(registration.installing);
        registration.addEventListener("updatefound", tell, { once: true });
        void registration.update();
      }));
    while (found.state === "installing")
      await new Promise((resolve) => {
        found.addEventListener("statechange", resolve, { once: true });
      });
    return found.state;
  });

const namesKept = (page) =>
  page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => url);
  });

const releaseOf = (page) =>
  page.evaluate(() => document.querySelector('meta[name="release"]')?.content ?? "first");

/** Releases of the assets that the page has requested, by the assets' names. */
const assetsOf = (page) =>
  page.evaluate(() => {
    const names = performance.getEntriesByType("resource").map(({ name }) => name);
    const assets = names.filter((name) => name.includes("/assets/"));
    return [...new Set(assets.map((name) => /\/assets\/r(\d)-/.exec(name)?.[1] ?? "first"))];
  });

/** Status, length and Content-Range of a range request; "none" if it fails. */
const partOf = (page, path, range) =>
  page.evaluate(
    async ([address, Range]) => {
      try {
        const response = await fetch(address, { headers: { Range } });
        const { byteLength } = await response.arrayBuffer();
        return [response.status, byteLength, response.headers.get("content-range")];
      } catch {
        return "none";
      }
    },
    [path, range],
  );

test("after one visit the article works without a network", async (context) => {
  const { site, page, lose } = await openReader(context);
  await kept(page);
  await lose();
  await page.reload();
  assert.ok((await numbersOf(page, first)).values.length > 0);
  assert.ok(await page.evaluate(() => crossOriginIsolated), "the headers are not stored");
  for (const tag of unseen) assert.ok(await numbersOf(page, tag), tag);
  for (const tag of elsewhere) {
    await page.goto(site.address + pathOfFigure(tag));
    assert.ok(await numbersOf(page, tag), tag);
  }
  await page.goto(site.address + pathOfFigure("wf-scheme-gallery") + fragment("en"));
  const title = page.locator("wf-scheme-card h3").first();
  await bringIntoView(page.locator("wf-scheme-gallery"));
  await title.waitFor();
  await page.locator("wf-bar .language").click();
  await page
    .locator("wf-scheme-card h3", { hasText: /\p{Script=Han}/u })
    .first()
    .waitFor();
  for (const [path, heading] of [
    ["schemes/rope/", /RoPE/],
    ["zh/schemes/alibi/", /ALiBi/],
    ["zh/schemes/", /位置/],
  ]) {
    await page.goto(site.address + path);
    assert.match(await page.locator("h1").textContent(), heading);
    assert.equal(await page.evaluate(() => document.styleSheets.length > 1), true);
  }
});

test("a visit to a scheme's page stores the article", async (context) => {
  const { site, page, lose } = await openReader(context, { path: "zh/schemes/rope/" });
  await kept(page);
  await lose();
  await page.goto(site.address + fragment("zh"));
  assert.ok((await numbersOf(page, first)).values.length > 0);
  await page.locator("h1", { hasText: "谁追谁" }).waitFor();
});

test("a model that was not loaded gives a message, and is loaded later", async (context) => {
  const { page, lose, find } = await openReader(context);
  await kept(page);
  await lose();
  await page.reload();
  const alert = page.locator(trained).getByRole("alert");
  await bringIntoView(page.locator(trained));
  await alert.waitFor();
  assert.match(await alert.textContent(), /offline and does not have it yet\.\s+Try again when/);
  await page.locator("wf-bar .language").click();
  await alert.filter({ hasText: "本地也还没有存过它" }).waitFor();
  await find();
  await alert.getByRole("button", { name: "再试一次" }).click();
  await numbersOf(page, trained);
  assert.equal(await alert.count(), 0);
});

test("files that a figure has loaded are stored, whole or in parts", async (context) => {
  const { page, lose } = await openReader(context);
  await kept(page);
  await numbersOf(page, trained);
  await numbersOf(page, "wf-added-position", ({ projected }) => projected !== undefined);
  const names = (await namesKept(page)).filter((name) => name.includes("safetensors"));
  assert.ok(names.some((name) => /\/rope\/model\.safetensors\?revision=\w+$/.test(name)));
  assert.ok(
    names.some((name) => /\/sinusoidal\/.*&part=bytes/.test(name)),
    names.join("\n"),
  );
  await lose();
  await page.reload();
  await numbersOf(page, trained);
  await numbersOf(page, "wf-added-position", ({ projected }) => projected !== undefined);
  const weights = (scheme) => `models/${scheme}/model.safetensors`;
  const [status, length, extent] = await partOf(page, weights("sinusoidal"), "bytes=0-16383");
  assert.deepEqual([status, length], [206, 16_384]);
  assert.match(extent, /^bytes 0-16383\/\d{7}$/);
  const [, , ofWhole] = await partOf(page, weights("rope"), "bytes=100-199");
  assert.match(ofWhole, /^bytes 100-199\/\d{7}$/);
  assert.equal(await partOf(page, weights("sinusoidal"), "bytes=7-9"), "none");
  assert.equal(await partOf(page, weights("t5"), "bytes=0-16383"), "none");
});

test("files loaded before the worker existed are stored, too", async (context) => {
  const { page } = await openReader(context, {
    prepare: (opened) =>
      opened.addInitScript(() => {
        const { register } = ServiceWorkerContainer.prototype;
        ServiceWorkerContainer.prototype.register = async function (...given) {
          await new Promise((resolve) => {
            globalThis.letRegister = resolve;
          });
          return register.apply(this, given);
        };
      }),
  });
  await numbersOf(page, trained);
  await page.waitForFunction(() => globalThis.letRegister);
  assert.deepEqual(await namesKept(page), []);
  await page.evaluate(() => globalThis.letRegister());
  await page.waitForFunction(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    const weights = all.flat().filter(({ url }) => url.includes("safetensors"));
    return weights.length === 3 && weights.every(({ url }) => !url.includes("part="));
  });
});

test("a newer release replaces the older one completely", async (context) => {
  const { site, page, reader, lose } = await openReader(context);
  await kept(page);
  await site.publish(2);
  await page.reload();
  assert.equal(await newerIs(page), "installed");
  // Files that a page of the older release requests now are on no server any more.
  for (const tag of unseen.slice(0, 2)) assert.ok(await numbersOf(page, tag), tag);
  assert.deepEqual([await releaseOf(page), await assetsOf(page)], ["first", ["first"]]);
  const other = await reader.newPage();
  await other.goto(site.address + fragment("en"));
  await numbersOf(other, first);
  assert.equal(await releaseOf(other), "first", "two pages have different releases");
  await other.close();
  await page.reload();
  await page.locator('meta[name="release"][content="2"]').waitFor({ state: "attached" });
  await numbersOf(page, unseen[0]);
  assert.deepEqual(await assetsOf(page), ["2"]);
  await lose();
  await page.reload();
  await numbersOf(page, unseen[1]);
  assert.deepEqual([await releaseOf(page), await assetsOf(page)], ["2", ["2"]]);
  const assets = (await namesKept(page)).filter((name) => name.includes("/assets/"));
  assert.ok(assets.length > 50 && assets.every((name) => name.includes("/assets/r2-")));
});

test("an incomplete release has a worker, but the page is the older one", async (context) => {
  const { site, page } = await openReader(context);
  await kept(page);
  const article = site.file("index.html");
  const older = readFileSync(article);
  await site.publish(2);
  writeFileSync(article, older);
  await page.reload();
  assert.equal(await newerIs(page), "redundant");
  await numbersOf(page, unseen[0]);
  assert.equal(await releaseOf(page), "first");
});

test("the worker is registered after the first figure, not to save data", async (context) => {
  const note = (saveData) => (page) =>
    page.addInitScript((saves) => {
      globalThis.asked = [];
      Object.defineProperty(navigator, "connection", { value: { saveData: saves } });
      const { register } = ServiceWorkerContainer.prototype;
      ServiceWorkerContainer.prototype.register = function (...given) {
        globalThis.asked.push(Boolean(document.querySelector("wf-word-swap").data));
        return register.apply(this, given);
      };
    }, saveData);
  const usual = await openReader(context, { prepare: note(false) });
  await kept(usual.page);
  assert.deepEqual(await usual.page.evaluate(() => globalThis.asked), [true]);
  let come;
  const isAsked = new Promise((resolve) => {
    come = resolve;
  });
  const saving = await openReader(context, {
    prepare: async (page) => {
      page.on("requestfinished", (request) => {
        if (/\/assets\/keep-/.test(request.url())) come();
      });
      await note(true)(page);
    },
  });
  await isAsked;
  const nothingElse = () => new Promise((resolve) => requestIdleCallback(resolve));
  for (let turn = 0; turn < 3; turn++) await saving.page.evaluate(nothingElse);
  assert.deepEqual(await saving.page.evaluate(() => globalThis.asked), []);
});

test("without the worker the page works as before", async (context) => {
  const { page } = await openReader(context);
  await kept(page);
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page.reload();
  await numbersOf(page, first);
  await numbersOf(page, unseen[0]);
  await kept(page);
});

test("a host that publishes the ending worker removes everything stored", async (context) => {
  const { site, page } = await openReader(context);
  await kept(page);
  site.endWorker();
  const again = page.waitForEvent("framenavigated");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
  await again;
  await numbersOf(page, first);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
  assert.deepEqual(await namesKept(page), []);
});

test("Chromium considers the site installable, below any path", async (context) => {
  // Only a browser with windows reports this.
  const browser = await openWindowed();
  const { site, page, reader } = await openReader(context, { browser });
  context.after(() => browser.close());
  await kept(page);
  const tools = await reader.newCDPSession(page);
  const { errors, url, data } = await tools.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.equal(url, `${site.address}manifest.webmanifest`);
  const { start_url: start, scope, display, icons } = JSON.parse(data);
  assert.deepEqual([start, scope, display], ["./", "./", "standalone"]);
  assert.deepEqual(
    icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ["192x192 any", "512x512 any", "512x512 maskable"],
  );
  // Contexts of tests are private windows, in which nothing can be installed.
  const { installabilityErrors } = await tools.send("Page.getInstallabilityErrors");
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId),
    ["in-incognito"],
  );
});

test("elements in other pages do not use the service worker", () => {
  const dist = new URL("../../dist/", import.meta.url);
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.length > 10);
  const having = scripts.filter((name) =>
    /serviceWorker/.test(readFileSync(new URL(name, dist), "utf8")),
  );
  assert.deepEqual(having, []);
});
