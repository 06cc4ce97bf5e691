// The code that figures hand out reproduces the figures' numbers, in Node, with the built package.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { follow, fragment, numbersOf, openBrowser, openPage, pageFolder } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../build/figure-code/", import.meta.url));

let session;
let page;
before(async () => {
  mkdirSync(folder, { recursive: true });
  session = await openBrowser();
  ({ page } = await openPage(session));
});
after(() => session.close());

/** The one page follows a link to a state; all of it, since what a link leaves out begins anew. */
const follows = (language, more = "") => follow(page, fragment(language, more));

/** Runs the code that a figure shows and returns the numbers at the ends of the lines it prints. */
async function runCodeOf(tag, before = "") {
  const figure = page.locator(tag);
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  await figure.locator("wf-takeaway button.code").click();
  const file = `${folder}${tag}.mjs`;
  writeFileSync(file, before + code);
  // The file lies inside the package, so its name means the package itself; the server of the page
  // goes on meanwhile, for code that fetches a model from it.
  const { stdout } = await promisify(execFile)(process.execPath, [file], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ").at(-1)));
}

const about = (a, b) =>
  assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b)), `${a} and ${b}`);

test("who chases whom", async () => {
  await follows("en", "&ap=rope");
  const isThere = ({ scheme, tokensA }) => scheme === "rope" && tokensA[0] === "cat";
  const data = await numbersOf(page, "wf-who-chases", isThere);
  const [printed] = await runCodeOf("wf-who-chases");
  about(printed, data.largestDifference);
});

test("causal order", async () => {
  await follows("zh");
  const isChinese = ({ tokens }) => /\p{Script=Han}/u.test(tokens[0]);
  const { cases } = await numbersOf(page, "wf-causal-order", isChinese);
  const printed = await runCodeOf("wf-causal-order");
  assert.equal(printed.length, 3);
  for (const [index, number] of printed.entries()) about(number, cases[index].lastDifference);
});

test("two hands in every pair", async () => {
  await follows("en", "&m=40.9&mb=500000");
  const isThere = ({ key, theta }) => key === 9 && theta === 500000;
  const { pairs, score } = await numbersOf(page, "wf-turning-pairs", isThere);
  const printed = await runCodeOf("wf-turning-pairs");
  const expected = [...Object.values(pairs), score];
  assert.equal(printed.length, expected.length);
  for (const [index, number] of printed.entries()) about(number, expected[index]);
});

test("what is added to the word: products, and products by a model's weights", async () => {
  for (const scheme of ["sinusoidal", "learned"]) {
    await follows("en", `&w=${scheme}&wh=1`);
    const { products, projected } = await numbersOf(page, "wf-added-position", (data) =>
      [data, data.projected].every((one) => one?.scheme === scheme),
    );
    const printed = await runCodeOf("wf-added-position");
    const places = [0, 1, 8, 63];
    const expected = [0, 1, 2].flatMap((query) =>
      places.flatMap((distance) => {
        const at = query * 64 + distance;
        return [products[at], projected.products[at]];
      }),
    );
    assert.equal(printed.length, expected.length);
    for (const [index, number] of printed.entries()) about(number, expected[index]);
  }
});

const shown = [0, 1, 8, 64, 119];

test("what if only distance counted: a formula's bias, and a trained one", async () => {
  await follows("zh", "&d=alibi&dk=12&dh=10");
  const tag = "wf-distance-bias";
  for (const scheme of ["alibi", "t5", "transformer_xl"]) {
    if (scheme !== "alibi") await follows("en", `&d=${scheme}&dl=1&dh=2`);
    const { lines, head } = await numbersOf(page, tag, (data) => data.scheme === scheme);
    const printed = await runCodeOf(tag);
    const own = lines.find(({ kind, name }) => kind === "head" && name === head);
    if (own) {
      // A trained model prints its content first.
      const biases = printed.slice(-shown.length);
      for (const [index, number] of biases.entries()) about(number, own.values[shown[index]]);
    } else {
      // On other words: four terms, of which the distance's own is the same.
      assert.equal(printed.length, 4 * shown.length);
      const distance = lines.find(({ name }) => name === "distanceBias").values;
      const last = printed.slice(-shown.length);
      for (const [index, number] of last.entries()) about(number, distance[shown[index]]);
    }
  }
});

test("the lab: maps of two models, and one after surgery, weights and what content adds", {
  skip: existsSync(`${pageFolder}/models/rope/model.safetensors`)
    ? false
    : "the models are not trained yet",
}, async () => {
  // As on the page that serves the models.
  const place = `globalThis.location = { href: ${JSON.stringify(session.address)} };\n`;
  for (const [operation, more, part = "weights"] of [
    ["drop", "a~2!q~head"],
    ["move", "a~4!p~sum", "sum"],
    ["zero", "a~content!p~content", "content"],
  ]) {
    await follows("en", `&z=s~rope.alibi!l~2!o~${operation}!${more}`);
    const isThere = ({ operated, part: shownPart }) =>
      operated?.values && operated.inForce?.operation === operation && shownPart === part;
    const data = await numbersOf(page, "wf-lab", isThere);
    const printed = await runCodeOf("wf-lab", place);
    const expected = [...data.maps, data.operated].map(({ values }) =>
      Object.values(values).at(-1),
    );
    assert.equal(printed.length, expected.length, more);
    for (const [index, number] of printed.entries()) about(number, expected[index]);
  }
});
