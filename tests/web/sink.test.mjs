// Heads of a real model: what the first token gets, and what is seen without it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-sink";
const path = pathOfFigure(tag);

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const sum = (row) => row.reduce((total, one) => total + one, 0);

test("each row adds up to 1, with the first token or without it", async () => {
  const { page, complaints, close } = await openPage(session, { path, hash: fragment("en") });
  const whole = await numbersOf(page, tag, ({ first }) => first === "kept");
  const late = whole.rows.slice(2);
  for (const row of whole.rows) assert.ok(Math.abs(sum(row) - 1) < 0.001, `${sum(row)}`);
  const share = sum(late.map(([first]) => first)) / late.length;
  const figure = page.locator(tag);
  const said = new RegExp(`^${Math.round(100 * share)}% of the attention runs into`);
  await awaitText(figure.locator("h3 span"), said);
  await figure.locator("[role=switch]").click();
  const rest = await awaitNumbers(page, tag, ({ first }) => first === "left_out");
  for (const row of rest.rows.slice(1)) {
    assert.equal(row[0], 0);
    assert.ok(Math.abs(sum(row) - 1) < 1e-9);
  }
  await page.waitForFunction(() => /sf=left_out/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});

test("a word is reached by key, and its shares are read out", async () => {
  const hash = fragment("zh", "&sk=1");
  const { page, complaints, close } = await openPage(session, { path, hash });
  await numbersOf(page, tag, ({ layer }) => layer === 19);
  const cell = page.locator(`${tag} [role=gridcell]`).first();
  await cell.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await awaitText(page.locator(`${tag} wf-scene [role=status]`), /“chased”看 The 0\.\d\d/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the code runs, with a model of this project in place of the real one", async () => {
  const { page, close } = await openPage(session, { path, hash: fragment("en") });
  await numbersOf(page, tag);
  const ours = `wf.model("./models/rope/", { tokenizer: await openTokenizer("./models/") })`;
  const changed = (code) =>
    `import { openTokenizer } from "whereformer/tokenizer";\n${code}`
      .replace(/wf\.model\([^)]*\), .*\n\}\)/, ours)
      .replace(/layers: \[\d+\], heads: \[\d+\]/, "layers: [0], heads: [0]");
  const lines = await runCodeOf(page, tag, { changed });
  assert.ok(lines.length > 10, `${lines.length} lines`);
  for (const line of lines) assert.ok(Number(line) > 0 && Number(line) < 1, line);
  await close();
});
