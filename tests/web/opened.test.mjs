// A figure opened by a link, a click or a key starts wherever it is; fonts and screens change its
// position.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const home = pathOfFigure("wf-scheme-gallery");

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const gallery = "wf-scheme-gallery";
/** Distance below the window, in pixels, within which figures start by themselves. */
const margin = 600;

/**
 * Waits until the open scheme has its numbers; returns its distance below the window's lower edge.
 */
async function awaitPortrait(page, id) {
  const handle = await page.waitForFunction(
    ([tag, scheme]) => {
      const portrait = document.querySelector(tag).shadowRoot.querySelector("wf-scheme-portrait");
      const { top } = portrait?.getBoundingClientRect() ?? {};
      return portrait?.data?.scheme === scheme ? { below: top - innerHeight } : undefined;
    },
    [gallery, id],
  );
  return handle.jsonValue();
}

/** Opens the page in a phone's window; returns it with the id of the gallery's last scheme. */
async function openGallery(more = "") {
  const opened = await openPage(session, {
    path: home,
    hash: fragment("en", more),
    width: 390,
    height: 600,
  });
  const { schemes } = await numbersOf(opened.page, gallery);
  return { ...opened, last: schemes.at(-1).id };
}

test("a scheme opened by a link starts, although all cards are before it", async () => {
  const plain = await openGallery();
  await plain.close();
  const { page, last, close } = await openGallery(`&g=${plain.last}`);
  const { below } = await awaitPortrait(page, last);
  assert.ok(below > margin, `${below}`);
  await close();
});

test("a scheme opened by a key starts, although the window has not scrolled to it", async () => {
  const { page, last, close } = await openGallery();
  const button = await page.waitForFunction((tag) => {
    const cards = document.querySelector(tag).shadowRoot.querySelectorAll("wf-scheme-card");
    return [...cards].at(-1)?.shadowRoot.querySelector("button");
  }, gallery);
  await button.evaluate((element) => element.focus({ preventScroll: true }));
  await page.keyboard.press("Enter");
  const { below } = await awaitPortrait(page, last);
  assert.ok(below > margin, `${below}`);
  await close();
});
