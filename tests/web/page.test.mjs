// The whole page: languages, themes, widths, no script, no foreign request, no error.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bringIntoView, fragment, numbersOf, openBrowser, openPage, settled } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Scrolls through the page so that every figure starts. */
async function readThrough(page) {
  for (const tag of ["wf-who-chases", "wf-causal-order", "wf-turning-pairs"])
    await numbersOf(page, tag);
  await bringIntoView(page.locator("footer"));
}

const readers = {};

/** Returns a page in a language in which every figure has started, narrow first; tests share it. */
async function readerOf(language, width) {
  if (!readers[language]) {
    readers[language] = await openPage(session, {
      hash: fragment(language),
      width,
      height: 900,
      isAlone: true,
    });
    await readThrough(readers[language].page);
  }
  const { page } = readers[language];
  await page.setViewportSize({ width, height: 900 });
  await settled(page.locator("main"));
  return readers[language];
}

test("the browser's language is the first choice", async () => {
  const { page, close } = await openPage(session, { hash: "", locale: "zh-CN" });
  await page.waitForFunction(() => document.documentElement.lang === "zh-Hans");
  await close();
});

test("a link is followed even while an earlier change is still unwritten", async () => {
  const { page, complaints, close } = await openPage(session);
  await page.waitForFunction(() => document.documentElement.lang === "en");
  await page.locator("wf-bar .theme").waitFor();
  await page.evaluate((to) => {
    const before = location.href;
    location.hash = to;
    history.pushState(null, "", before);
  }, fragment("zh"));
  await page.waitForFunction(
    () => document.documentElement.lang === "zh-Hans" && location.hash.includes("l=zh"),
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("language and theme are stored in the address and by the browser", async () => {
  const { page, close } = await openPage(session, { hash: "", isAlone: true });
  await page.locator("wf-bar .language").click();
  await page.locator("wf-bar .theme").click();
  await page.waitForFunction(
    () => location.hash.includes("l=zh") && location.hash.includes("t=dark"),
  );
  await page.goto(new URL("/", page.url()).href);
  await page.waitForFunction(() => document.documentElement.lang === "zh-Hans");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  const ground = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  assert.equal(ground, "rgb(19, 21, 25)");
  await close();
});

test("without local storage the page works, too", async () => {
  const { page, complaints, close } = await openPage(session);
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.reload();
  assert.ok(await numbersOf(page, "wf-who-chases"));
  await page.locator("wf-bar .language").click();
  await page.waitForFunction(() => document.documentElement.lang === "zh-Hans");
  assert.deepEqual(complaints, []);
  await close();
});

test("the article can be read without script", async () => {
  const { page, close } = await openPage(session, { javaScriptEnabled: false });
  // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts
  const text = await page.locator("main").innerText();
  assert.match(text, /Attention does not/);
  assert.doesNotMatch(text, /\p{Script=Han}/u);
  await close();
});

for (const language of ["en", "zh"]) {
  for (const width of [360, 390, 768, 900, 1200, 1280]) {
    test(`${language}, ${width} wide: nothing is cut off or scrolls sideways`, async () => {
      const { page } = await readerOf(language, width);
      const excess = await page.evaluate(() => {
        const root = document.documentElement;
        const reach = (node) => [
          ...(node.shadowRoot ? reach(node.shadowRoot) : []),
          ...[...(node.children ?? [])].flatMap((child) => [child, ...reach(child)]),
        ];
        // Code and tables of numbers scroll by themselves.
        const out = reach(document.body)
          .filter((node) => !node.closest?.("pre, .unseen, .numbers *"))
          .filter((node) => node.getClientRects?.().length > 0)
          .filter((node) => !(node.getRootNode().host && node.matches(".unseen, pre *")))
          .filter((node) => node.getBoundingClientRect().right > root.clientWidth + 1)
          .map((node) => `${node.localName}.${node.className}`);
        return { scroll: root.scrollWidth - root.clientWidth, out };
      });
      assert.deepEqual(excess, { scroll: 0, out: [] });
    });
  }

  test(`${language}: one language is shown, and title and root element match it`, async () => {
    const { page, complaints, close } = await readerOf(language, 1280);
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts
    const shown = await page.evaluate(() => document.body.innerText);
    const han = [...shown].filter((sign) => /\p{Script=Han}/u.test(sign)).length;
    if (language === "zh") assert.ok(han > 800, `${han} Chinese characters`);
    else assert.ok(han < 5, `${han} Chinese characters`);
    assert.equal(await page.getAttribute("html", "lang"), language === "zh" ? "zh-Hans" : "en");
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("the first figure needs no model, and figures far below load none of theirs", async () => {
  const { page, close } = await openPage(session);
  const wanted = [];
  page.on("request", (request) => wanted.push(new URL(request.url()).pathname));
  await page.reload();
  for (const tag of ["wf-who-chases", "wf-causal-order"]) await numbersOf(page, tag);
  const first = (text) => wanted.findIndex((path) => path.includes(text));
  const [binary, model] = [first(".wasm"), first("/models/")];
  assert.ok(binary >= 0 && (model < 0 || model > binary), wanted.join(" "));
  // The trained model of the second figure is there when a reader scrolls to it, but no other.
  const isFar = (address) => /\/models\/(?!rope\/)[^/]+\/model/.test(address);
  assert.deepEqual(wanted.filter(isFar), []);
  await Promise.all([
    page.waitForRequest((request) => isFar(request.url()), { timeout: 60_000 }),
    bringIntoView(page.locator("wf-real-heads")),
  ]);
  await close();
});

test("a link to a state opens that state", async () => {
  const hash = fragment("en", "&a=dog+bites+man&ap=rope&as=0.1&at=mask");
  const { page, close } = await openPage(session, { hash });
  const data = await numbersOf(page, "wf-who-chases");
  assert.deepEqual(data.tokensA, ["dog", "bites", "man"]);
  assert.deepEqual(data.tokensB, ["bites", "dog", "man"]);
  assert.equal(data.scheme, "rope");
  await close();
});
