// The reader's formula in the figures that show it beside schemes: the lab, the gallery.
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

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const lab = "wf-lab";
const gallery = "wf-scheme-gallery";
const card = "wf-formula-card";
const alibi = encodeURIComponent("-2^(-8*(h+1)/H) * abs(r)");

const open = (tag, more, language = "en") =>
  openPage(session, { path: pathOfFigure(tag), hash: fragment(language, more) });

/** Numbers apart from those of masked cells, which are NaN. */
const seen = ({ values }) => Object.values(values).filter((value) => !Number.isNaN(value));

test("the lab: a formula's map is that of the scheme that it writes out", async () => {
  const isThere = ({ maps }) => maps.length === 2 && maps.every(({ values }) => values);
  const { page, complaints, close } = await open(lab, `&z=m~scheme!s~alibi.formula&fb=${alibi}`);
  const { maps } = await numbersOf(page, lab, isThere);
  assert.deepEqual(
    maps.map(({ scheme }) => scheme),
    ["alibi", "formula"],
  );
  const [known, written] = maps.map(seen);
  assert.ok(known.length > 20 && known.length === written.length);
  for (const [at, value] of known.entries())
    assert.ok(Math.abs(value - written[at]) < 1e-5, `${at}: ${value}, not ${written[at]}`);
  await awaitText(page.locator(`${lab} wf-several input[value=formula] + *`), "your formula");
  assert.deepEqual(complaints, []);
  await close();
});

test("the lab: a part of a formula's scores, and a formula that cannot be read", async () => {
  const { page, close } = await open(lab, "&z=m~scheme!s~nope.formula!p~position&fb=-3*abs(r)");
  const { maps, tokens } = await numbersOf(page, lab, ({ part, maps: found }) => {
    return part === "position" && found[1]?.values;
  });
  const n = tokens.length;
  for (const [row, column] of [
    [1, 0],
    [n - 1, 2],
    [n - 1, n - 1],
  ]) {
    const expected = -3 * (row - column);
    assert.ok(Math.abs(maps[1].values[row * n + column] - expected) < 1e-4, `${row}, ${column}`);
  }
  await page.evaluate(() => {
    location.hash = location.hash.replace(/fb=[^&]*/, "fb=-abss(r)");
  });
  const isRefused = ({ maps: found }) => found[1]?.failure;
  const refused = await awaitNumbers(page, lab, isRefused);
  assert.match(refused.maps[1].failure.message, /^bias, character 2: "abss"/);
  assert.ok(refused.maps[0].values, "the other map stays");
  await close();
});

test("the gallery: a card whose picture is of what the formula does", async () => {
  const { page, complaints, close } = await open(gallery, `&fb=${alibi}`);
  await numbersOf(page, gallery);
  const shown = page.locator(`${gallery} ${card}`);
  const answerOf = (kind) =>
    page
      .waitForFunction(
        ([outer, tag, wanted]) => {
          const data = document.querySelector(outer).shadowRoot.querySelector(tag)?.data;
          return data?.picture.kind === wanted && data.picture;
        },
        [gallery, card, kind],
        { timeout: 30_000 },
      )
      .then((found) => found.jsonValue());
  await shown.scrollIntoViewIfNeeded();
  const { curves, positions } = await answerOf("bias");
  const [first, last] = [0, positions - 1].map((key) => Object.values(curves)[key]);
  const heads = Object.values(curves).length / positions;
  const slope = 2 ** (-8 / heads);
  assert.ok(Math.abs(first + slope * (positions - 1)) < 1e-4 && last === 0, `${first}, ${last}`);
  await awaitText(shown.locator("h3"), "your formula");
  await awaitText(shown.locator(".summary"), "bias: -2^(-8*(h+1)/H) * abs(r)");
  assert.equal(await shown.locator("a").getAttribute("href"), "#own");

  const to = (more) =>
    page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      fragment("en", more),
    );
  await to("&fp=rope");
  const { frequencies } = await answerOf("rotation");
  for (const [pair, value] of Object.values(frequencies).entries()) {
    const expected = 10000 ** (-pair / Object.values(frequencies).length);
    assert.ok(Math.abs(value - expected) < 1e-5, `pair ${pair}: ${value}, not ${expected}`);
  }
  await to("&fv=sin(i%2Bc)");
  assert.equal((await answerOf("encoding")).kind, "encoding");
  await to("&fb=-abss(r)");
  await awaitText(shown.locator(".failure"), /character 2: "abss"/);
  await to("");
  await shown.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});
