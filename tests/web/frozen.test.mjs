// A tab that the browser freezes in the background, and thaws: nothing that was asked is lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

test("what was asked before a tab was frozen is answered when it thaws, and what is asked then", async () => {
  const { page, complaints, close } = await openPage(session, { hash: fragment("en") });
  await numbersOf(page, "wf-who-chases");
  const tools = await page.context().newCDPSession(page);
  const input = page.locator("wf-who-chases wf-text-line input");
  await page.evaluate(() => {
    globalThis.seen = [];
    for (const name of ["freeze", "resume"])
      document.addEventListener(name, () => globalThis.seen.push(name));
  });
  await input.fill("mouse fears cat");
  await tools.send("Page.setWebLifecycleState", { state: "frozen" });
  await tools.send("Page.setWebLifecycleState", { state: "active" });
  const first = await awaitNumbers(
    page,
    "wf-who-chases",
    (data) => data.tokensA.join(" ") === "mouse fears cat",
  );
  assert.equal(first.tokensA.length, 3);
  await input.fill("cat sleeps");
  const second = await awaitNumbers(
    page,
    "wf-who-chases",
    (data) => data.tokensA.join(" ") === "cat sleeps",
  );
  assert.equal(second.tokensA.length, 2);
  // Without the events nothing was frozen, and the test would say nothing.
  assert.deepEqual(await page.evaluate(() => globalThis.seen), ["freeze", "resume"]);
  assert.deepEqual(complaints, []);
  await close();
});
