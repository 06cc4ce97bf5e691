// A sentence that moves on as a whole: which schemes' maps change, and by how much.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-slide";
const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
});
after(() => session.close());

const shiftedTo = (shift) => (data) => data.shift === shift;

for (const language of ["en", "zh"])
  test(`maps change exactly if the scheme does not claim that they stay, ${language}`, async () => {
    const { page, complaints } = reader;
    const wf = await load({ wasm: readFileSync(`${root}dist/simd.wasm`), variant: "simd" });
    const claims = new Map(wf.schemes.map(({ id, claims: said }) => [id, said.shiftInvariant]));
    for (const shift of [1, 50, 100]) {
      await follow(page, fragment(language, `&sl=${shift}`));
      const { changes, ids } = await numbersOf(page, tag, shiftedTo(shift));
      assert.equal(ids.length, 8);
      assert.equal(changes.length, 6);
      for (const { scheme, largest, isChanged, after: map } of changes) {
        assert.equal(isChanged, !claims.get(scheme), `${scheme} at ${shift}`);
        assert.ok(isChanged ? largest > 0.005 : largest < 1e-5, `${scheme}: ${largest}`);
        // Every row is shares of the words up to its own.
        for (let row = 0; row < 8; row++) {
          const shares = Array.from({ length: 8 }, (_, at) => map[8 * row + at]);
          const sum = shares.reduce((total, share) => total + share, 0);
          assert.ok(Math.abs(sum - 1) < 1e-5, `${scheme}: ${sum}`);
          assert.ok(shares.every((share, at) => at <= row || share === 0));
        }
      }
    }
    assert.deepEqual(complaints, []);
  });

test("unmoved, no map has changed; the slider moves the words, and the title counts", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&sl=0"));
  const { changes } = await numbersOf(page, tag, shiftedTo(0));
  assert.deepEqual(
    changes.filter(({ largest }) => largest !== 0),
    [],
  );
  await page.locator(`${tag} wf-slider input`).focus();
  await page.keyboard.press("ArrowRight");
  await awaitNumbers(page, tag, shiftedTo(1));
  await awaitText(page.locator(`${tag} h3 span`), "1 position on, 3 of 6 maps have changed");
  const cell = page.locator(`${tag} [data-grid="schemes"]`);
  assert.match(
    await cell.getAttribute("aria-label"),
    /integers: a weight changes by up to 0\.\d\d/,
  );
  await page.keyboard.press("End");
  await awaitNumbers(page, tag, shiftedTo(100));
});

test("the code prints the largest changes", async () => {
  const { changes } = await numbersOf(reader.page, tag);
  const lines = await runCodeOf(reader.page, tag);
  assert.equal(lines.length, changes.length);
  for (const [index, { scheme, largest }] of changes.entries()) {
    const [name, value] = lines[index].split(" ");
    assert.equal(name, scheme);
    assert.ok(Math.abs(Number(value) - largest) < 1e-6, lines[index]);
  }
});
