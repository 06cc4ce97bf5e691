// The rules of axe on a whole page of the site.
import assert from "node:assert/strict";
import { brokenRules } from "./access-rules.mjs";
import { fragment, numbersOf, openPage, settled } from "./browser.mjs";

// Figures that wait for the reader's input, or measure for a long time.
const waiting = ["wf-length-curves", "wf-train-short", "wf-open-checkpoint", "wf-costs"];

/** Asserts that a page breaks no rule in a language, in light and dark, once its figures show. */
export async function assertPageKeepsRules(session, { path, figures }, language) {
  const { page, close } = await openPage(session, {
    path,
    hash: fragment(language),
    bypassCSP: true,
  });
  for (const tag of figures.filter((one) => !waiting.includes(one))) await numbersOf(page, tag);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await settled(page.locator("main"));
    assert.deepEqual(await brokenRules(page), [], colorScheme);
  }
  await close();
}
