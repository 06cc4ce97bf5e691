// A network that is lost while somebody reads: the gallery says so, and to try again works.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitText,
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const gallery = "wf-scheme-gallery";

/** The gallery's own alert, once it is there. */
async function alertOf(page) {
  const alert = page.locator(`${gallery} > [role=alert]`);
  await bringIntoView(page.locator(gallery));
  await alert.waitFor();
  return alert;
}

test("words that do not come are asked for again, as often as it takes", async () => {
  let isLost = true;
  const { page, close } = await openPage(session, {
    isAlone: true,
    prepare: (opened) =>
      opened.route("**/*scheme-words-en*", (route) => (isLost ? route.abort() : route.continue())),
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

test("a figure whose file does not come says so in its place, and can be asked anew", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en"), isAlone: true });
  await numbersOf(page, "wf-who-chases");
  await page.context().setOffline(true);
  const place = page.locator("wf-costs");
  await bringIntoView(place);
  const alert = place.locator("wf-load-failed").getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.textContent(), /The file did not arrive/);
  await page.locator("wf-bar .language").click();
  await alert.filter({ hasText: "文件没有下载成功" }).waitFor();
  await page.context().setOffline(false);
  await alert.getByRole("button").click();
  await numbersOf(page, "wf-costs");
  assert.equal(await place.locator("wf-load-failed").count(), 0);
  await close();
});

test("a language whose words do not come can be asked for again", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en"), isAlone: true });
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
    isAlone: true,
    prepare: (opened) =>
      opened.route("**/worker-*.js", (route) => (isBroken ? route.abort() : route.continue())),
  });
  const alert = await alertOf(page);
  assert.match(await alert.textContent(), /did not start the worker/);
  isBroken = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  assert.ok((await numbersOf(page, gallery)).schemes.length > 0);
  await close();
});

test("cards whose worker breaks say so, and all come when one of them is tried again", async () => {
  const { page, close } = await openPage(session, {
    hash: fragment("zh"),
    isAlone: true,
    // Every answer to a card is held back, so that all of them wait when the worker breaks.
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
