// Figures of trained models in another page, in a narrow column between two others: each group has
// a text of its own.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { after, before, test } from "node:test";
import { numbersOf, openBrowser, openPage, pageFolder } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const style = '<link rel="stylesheet" href="./groups.css">';
const css = `body { margin: 0; display: flex; gap: 20px; font: 16px/1.5 Georgia, serif }
aside { flex: 1; background: #8881 } main { flex: 0 0 420px; min-width: 0 }`;
const pages = {
  groups: [
    `${headOf("groups", "en", style)}<aside>left</aside><main>
<wf-real-heads id="a" models="./models/" schemes="nope rope" text="In the beginning" layer="1"
  group="one"></wf-real-heads>
<wf-score-terms id="b" models="./models/" group="one"></wf-score-terms>
<wf-real-heads id="c" models="./models/" schemes="rope alibi" lang="zh"
  text="床前明月光"></wf-real-heads>
</main><aside>right</aside></html>`,
    'import "whereformer/elements/real-heads";\nimport "whereformer/elements/score-terms";\n',
  ],
};

let session;
before(async () => {
  const built = await buildHost("host-groups", pages, { "groups.css": css });
  cpSync(`${pageFolder}/models`, `${built}/models`, { recursive: true });
  session = await openBrowser(built);
});
after(() => session.close());

test("two groups have different texts and models, and figures of one group agree", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "groups.html", width: 1000 });
  const first = await numbersOf(page, "#a");
  const other = await numbersOf(page, "#c");
  const schemesOf = ({ byScheme }) => byScheme.map(({ scheme }) => scheme);
  assert.deepEqual(schemesOf(first), ["nope", "rope"]);
  assert.deepEqual(schemesOf(other), ["rope", "alibi"]);
  assert.match(first.tokens.join(""), /beginning/);
  assert.match(other.tokens.join(""), /床/);
  assert.deepEqual([first.layer, other.layer], [1, 3]);
  const { sums } = await numbersOf(page, "#b");
  assert.deepEqual(
    sums.map(({ scheme }) => scheme),
    ["nope", "rope"],
  );
  // A head that is chosen in one figure applies to its group and to no other figure.
  await page.locator("#a wf-choice.head label").nth(1).click();
  await numbersOf(page, "#a", ({ head }) => head === 1);
  const headOfEach = await page.evaluate(() =>
    ["a", "b", "c"].map((id) => document.getElementById(id).head),
  );
  assert.deepEqual(headOfEach, [1, 1, 2]);
  // No element is wider than its column.
  for (const id of ["a", "b", "c"]) {
    const excess = await page.locator(`#${id}`).evaluate((node) => node.scrollWidth - 420);
    assert.ok(excess <= 0, `${id}: ${excess}`);
  }
  assert.deepEqual(complaints, []);
  await close();
});
