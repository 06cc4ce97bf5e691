// Accessibility: automated rules on every page but the essay, which access.test.mjs checks.
import { after, before, test } from "node:test";
import { pages } from "../../scripts/build/prose.mjs";
import { openBrowser } from "./browser.mjs";
import { assertPageKeepsRules } from "./whole-page-rules.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const tools = pages().filter(({ path }) => path !== "");
const list = { path: "tools/", figures: [] };

for (const language of ["en", "zh"])
  for (const page of [...tools, list])
    test(`${language}: no rule of axe is broken, in light and dark: /${page.path}`, () =>
      assertPageKeepsRules(session, page, language));
