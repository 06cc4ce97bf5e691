// A page whose main thread is blocked while its worker runs on, as in a tab that the browser
// freezes: no request is lost. (A headless browser hides no page, so it never freezes one.)
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

test("requests from before and during a blocked main thread are answered afterwards", async () => {
  const { page, complaints, close } = await openPage(session, {
    path: pathOfFigure("wf-who-chases"),
    hash: fragment("en"),
  });
  await numbersOf(page, "wf-who-chases");
  const input = page.locator("wf-who-chases wf-text-line input");
  const answered = async (text, count) => {
    const isIt = ({ tokensA }) => tokensA.join(" ") === text;
    const { tokensA } = await awaitNumbers(page, "wf-who-chases", isIt);
    assert.equal(tokensA.length, count);
  };
  const tools = await page.context().newCDPSession(page);
  await tools.send("Debugger.enable");
  const stands = once(tools, "Debugger.paused");
  await tools.send("Debugger.pause");
  const filled = input.fill("mouse fears cat");
  await stands;
  await tools.send("Debugger.resume");
  await filled;
  await answered("mouse fears cat", 3);
  await input.fill("cat sleeps");
  await answered("cat sleeps", 2);
  assert.deepEqual(complaints, []);
  await close();
});
