// Lost connections: the gallery reports them, and another try works.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitText,
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-scheme-gallery");

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const gallery = "wf-scheme-gallery";

/** Returns the gallery's alert once it is shown. */
async function alertOf(page) {
  const alert = page.locator(`${gallery} > [role=alert]`);
  await bringIntoView(page.locator(gallery));
  await alert.waitFor();
  return alert;
}

for (const [what, file] of [
  ["a language's text", "**/*scheme-words-en*"],
  ["the package, with which the worker begins later,", "**/dist-*.js"],
])
  test(`${what} that cannot be loaded is requested again at each try`, async () => {
    let isLost = true;
    const { page, close } = await openPage(session, {
      path: home,
      isAlone: true,
      prepare: (opened) =>
        opened.route(file, (route) => (isLost ? route.abort() : route.continue())),
    });
    const alert = await alertOf(page);
    assert.match(await alert.textContent(), /The file did not arrive/);
    assert.doesNotMatch(await alert.textContent(), /TypeError/);
    const again = alert.getByRole("button", { name: "Try again" });
    await again.click();
    await alert.waitFor();
    isLost = false;
    await again.click();
    const { schemes } = await numbersOf(page, gallery);
    assert.equal(await page.locator("wf-scheme-card").count(), schemes.length);
    assert.equal(await alert.count(), 0);
    await close();
  });

test("a figure whose file cannot be loaded shows a message, and can retry", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en"), isAlone: true });
  await numbersOf(page, "wf-who-chases");
  await page.context().setOffline(true);
  const place = page.locator("wf-stretch");
  await bringIntoView(place);
  const alert = place.locator("wf-load-failed").getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.textContent(), /The file did not arrive/);
  await page.locator("wf-bar .language").click();
  await alert.filter({ hasText: "文件没有下载成功" }).waitFor();
  await page.context().setOffline(false);
  await alert.getByRole("button").click();
  await numbersOf(page, "wf-stretch");
  assert.equal(await place.locator("wf-load-failed").count(), 0);
  await close();
});

test("a language whose texts cannot be loaded can be requested again", async () => {
  const { page, close } = await openPage(session, {
    path: home,
    hash: fragment("en"),
    isAlone: true,
  });
  await numbersOf(page, gallery);
  await page.context().setOffline(true);
  await page.locator("wf-bar .language").click();
  const alert = await alertOf(page);
  assert.match(await alert.textContent(), /文件没有下载成功/);
  await page.context().setOffline(false);
  await alert.getByRole("button", { name: "再试一次" }).click();
  await page
    .locator("wf-scheme-card h3", { hasText: /\p{Script=Han}/u })
    .first()
    .waitFor();
  await close();
});

test("a worker that does not start is started again", async () => {
  let isBroken = true;
  const { page, close } = await openPage(session, {
    path: home,
    isAlone: true,
    prepare: (opened) =>
      opened.route("**/page-worker-*.js", (route) => (isBroken ? route.abort() : route.continue())),
  });
  const alert = await alertOf(page);
  assert.match(await alert.textContent(), /did not start the worker/);
  isBroken = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  assert.ok((await numbersOf(page, gallery)).schemes.length > 0);
  await close();
});

test("cards of a failed worker show a message, and one retry brings all", async () => {
  const { page, close } = await openPage(session, {
    path: home,
    hash: fragment("zh"),
    isAlone: true,
    // Delays answers to all cards, so that all are pending when the worker fails.
    prepare: (opened) =>
      opened.addInitScript(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
          if (message.kind === "portrait" && !globalThis.isMended) {
            const error = new ErrorEvent("error", { message: "broken by the test" });
            queueMicrotask(() => this.dispatchEvent(error));
          } else postMessage.call(this, message, ...rest);
        };
      }),
  });
  await numbersOf(page, gallery);
  const failures = page.locator("wf-scheme-card .failure");
  await bringIntoView(page.locator("wf-scheme-card").first());
  await failures.nth(1).waitFor();
  await awaitText(failures.first(), /负责计算的后台线程.* broken by the test/);
  assert.equal(await failures.first().locator("[lang=en]").textContent(), "broken by the test");
  await page.evaluate(() => {
    globalThis.isMended = true;
  });
  await failures.first().getByRole("button", { name: "再试一次" }).click();
  await page.waitForFunction(
    (tag) =>
      [...document.querySelector(tag).shadowRoot.querySelectorAll("wf-scheme-card")].every(
        ({ failure }) => !failure,
      ),
    gallery,
  );
  assert.ok(
    await page
      .locator("wf-scheme-card")
      .first()
      .evaluate(({ data }) => data),
  );
  await close();
});
