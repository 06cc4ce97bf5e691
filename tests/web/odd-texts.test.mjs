// Texts that trained models can hardly read (empty, in another script, split within words) get a
// message.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitText, fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const home = pathOfFigure("wf-real-heads");

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const heads = "wf-real-heads";
const awaitTokens = (page, matches) => numbersOf(page, heads, ({ tokens }) => matches(tokens));

test("an empty text, unknown characters and pieces of words get a message each", async () => {
  const { page, complaints, close } = await openPage(session, {
    path: home,
    hash: fragment("en", "&c=+"),
  });
  await awaitTokens(page, (tokens) => tokens.length === 0);
  await awaitText(page.locator(`${heads} .reading`), "Type something.");
  const field = page.locator(`${heads} textarea`);
  await field.fill("And God สวัสดี");
  await awaitTokens(page, (tokens) => tokens.length > 3);
  await awaitText(page.locator(`${heads} .remark`), "□: not in these models’ vocabulary.");
  await field.fill("Nebuchadnezzar smartphone");
  await awaitTokens(page, (tokens) => tokens.join("").includes("phone"));
  // By word at first, since words have several tokens; then by token.
  await awaitText(page.locator(`${heads} .remark`), /Some words are several tokens/);
  await page.locator(`${heads} wf-choice.by label`).nth(1).click();
  await awaitText(page.locator(`${heads} .remark`), "-: a piece of the word before it.");
  await field.fill("And God");
  await awaitTokens(page, (tokens) => tokens.length === 2);
  await page.locator(`${heads} .remark`).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("a full field says so, and disabled boxes say how many may be selected", async () => {
  const { page, complaints, close } = await openPage(session, { path: home, hash: fragment("en") });
  await awaitTokens(page, (tokens) => tokens.length > 3);
  const field = page.locator(`${heads} textarea`);
  await field.fill("light ".repeat(150).slice(0, 600));
  await awaitText(page.locator(`${heads} .remark`), /holds 600 characters/);
  await field.fill("And God");
  await awaitTokens(page, (tokens) => tokens.length === 2);
  await page.locator(`${heads} .remark`).waitFor({ state: "detached" });
  await awaitText(page.locator(`${heads} wf-several .bounds`), "(2 to 4 at once)");
  assert.deepEqual(complaints, []);
  await close();
});
