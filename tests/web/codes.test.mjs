// The code that figures hand out reproduces the figures' numbers, in Node, with the built package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../build/figure-code/", import.meta.url));

let session;
before(async () => {
  mkdirSync(folder, { recursive: true });
  session = await openBrowser();
});
after(() => session.close());

/** Runs the code that a figure shows and returns the numbers at the ends of the lines it prints. */
async function runCodeOf(page, tag) {
  const figure = page.locator(tag);
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  const file = `${folder}${tag}.mjs`;
  writeFileSync(file, code);
  // The file lies inside the package, so its name means the package itself.
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8" });
  return printed
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ").at(-1)));
}

const about = (a, b) =>
  assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b)), `${a} and ${b}`);

test("who chases whom", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en", "&ap=rope") });
  const data = await numbersOf(page, "wf-who-chases");
  const [printed] = await runCodeOf(page, "wf-who-chases");
  about(printed, data.largestDifference);
  await close();
});

test("causal order", async () => {
  const { page, close } = await openPage(session, { hash: fragment("zh") });
  const { cases } = await numbersOf(page, "wf-causal-order");
  const printed = await runCodeOf(page, "wf-causal-order");
  assert.equal(printed.length, 3);
  for (const [index, number] of printed.entries()) about(number, cases[index].lastDifference);
  await close();
});

test("two hands in every pair", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en", "&m=40.9&mb=500000") });
  const { pairs, score } = await numbersOf(page, "wf-turning-pairs", ({ key }) => key === 9);
  const printed = await runCodeOf(page, "wf-turning-pairs");
  const expected = [...Object.values(pairs), score];
  assert.equal(printed.length, expected.length);
  for (const [index, number] of printed.entries()) about(number, expected[index]);
  await close();
});
