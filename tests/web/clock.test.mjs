// A dial for every pair: the engine's angles and scores; time that runs and stops; hands that are
// dragged, by pointer and by key.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-clock";
const pairs = 16;
const farthest = 200;
const close = (a, b, tolerance = 1e-4) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
});
after(() => session.close());

/** Positions differ from test to test: an address that is there already would change nothing. */
async function clockAt(page, query, key, pair = 4) {
  await follow(page, fragment("en", `&ck=${query}.${key}&cp=${pair}`));
  const isThere = (data) => data.query === query && data.key === key && data.pair === pair;
  return numbersOf(page, tag, isThere);
}

/** Space above a dial, and above and below it together, in CSS pixels. */
const [above, around] = [12, 82];

/** The middle of a pair's dial in the window, from the picture's grid. */
async function centreOf(page, pair) {
  const scene = page.locator(`${tag} wf-scene`);
  const { x, y } = await scene.boundingBox();
  const grid = await scene.evaluate(({ picture }) => ({ ...picture.grids[0], describe: 0 }));
  const { columns, cellWidth, cellHeight } = grid;
  const [row, column] = [Math.floor(pair / columns), pair % columns];
  const radius = (cellHeight - around) / 2;
  return [x + grid.x + (column + 0.5) * cellWidth, y + grid.y + row * cellHeight + above + radius];
}

test("pairs of one strength swing, and never come back to close by", async () => {
  const { scores } = await clockAt(reader.page, 21, 14);
  const all = Object.values(scores);
  assert.equal(all.length, 2049);
  const far = all.slice(128);
  assert.ok(Math.max(...far) < Math.min(...all.slice(0, 5)), `${Math.max(...far)}`);
  assert.ok(Math.max(...far) - Math.min(...far) > 0.5 * pairs);
});

test("pairs turn at the speeds of the paper, and add their cosines", async () => {
  const { frequencies, scores, shares } = await clockAt(reader.page, 20, 14);
  const rates = Object.values(frequencies);
  assert.equal(rates.length, pairs);
  for (const [pair, rate] of rates.entries()) close(rate, 10_000 ** (-pair / pairs), 1e-6);
  for (const distance of [0, 1, 6, 63, farthest]) {
    const added = rates.map((_, pair) => shares[distance * pairs + pair]);
    for (const [pair, rate] of rates.entries()) close(added[pair], Math.cos(distance * rate));
    close(
      added.reduce((total, share) => total + share, 0),
      scores[distance],
    );
  }
});

test("the caption has the angle and the score of the positions, however far on", async () => {
  const { page, complaints } = reader;
  const reading = page.locator(`${tag} wf-frame .reading`);
  const said = [];
  for (const first of [0, 14, 150]) {
    const { scores } = await clockAt(page, first + 6, first);
    await awaitText(reading, new RegExp(`The query stands at ${first + 6}, the key at ${first}:`));
    const text = await reading.textContent();
    // Pair 5 turns by 0.1 radians for each position.
    assert.match(text, /34° lie between/);
    assert.ok(text.includes(String(Number(scores[6].toPrecision(3)))), text);
    said.push(text.slice(text.indexOf("6 apart")));
  }
  assert.equal(new Set(said).size, 1);
  assert.deepEqual(complaints, []);
});

test("hands are dragged around, and moved by key", async () => {
  const { page } = reader;
  await clockAt(page, 20, 14);
  await bringIntoView(page.locator(`${tag} wf-scene`));
  const handle = page.locator(`${tag} .handle.query`);
  const middleOf = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const centre = await centreOf(page, 4);
  const begin = await middleOf(handle);
  // The hand of pair 5 at position 20: two radians clockwise from the top.
  const radius = Math.hypot(begin[0] - centre[0], begin[1] - centre[1]);
  close(Math.atan2(begin[0] - centre[0], centre[1] - begin[1]), 2, 0.02);
  const at = (angle) => [
    centre[0] + radius * Math.sin(angle),
    centre[1] - radius * Math.cos(angle),
  ];
  await page.mouse.move(...begin);
  await page.mouse.down();
  for (let angle = 2; angle < 2 + 2 * Math.PI + 1; angle += 0.5)
    await page.mouse.move(...at(angle));
  await page.mouse.move(...at(3 + 2 * Math.PI));
  await page.mouse.up();
  // A whole turn and a radian: 10 radians are 93 positions at 0.1 less the 20 before.
  const { query, key } = await awaitNumbers(page, tag, (data) => data.query > 90);
  close(query, 93, 1);
  assert.equal(key, 14);
  await handle.press("ArrowRight");
  await awaitNumbers(page, tag, (data) => data.query === query + 1);
  await page.locator(`${tag} .handle.key`).press("PageDown");
  await awaitNumbers(page, tag, (data) => data.key === 4);
  await handle.press("End");
  await awaitNumbers(page, tag, (data) => data.query === farthest);
  assert.equal(await handle.getAttribute("aria-valuenow"), String(farthest));
  await page.waitForFunction((to) => location.hash.includes(`ck=${to}.4`), farthest);
});

test("a dial chooses its pair, by pointer and by key", async () => {
  const { page } = reader;
  await clockAt(page, 30, 24);
  await bringIntoView(page.locator(`${tag} wf-scene`));
  await page.mouse.click(...(await centreOf(page, 9)));
  await awaitNumbers(page, tag, (data) => data.pair === 9);
  await page.mouse.click(...(await centreOf(page, 0)));
  await awaitNumbers(page, tag, (data) => data.pair === 0);
  const cell = page.locator(`${tag} [data-grid="pairs"]`);
  await cell.press("ArrowRight");
  await awaitNumbers(page, tag, (data) => data.pair === 1);
  assert.match(await cell.getAttribute("aria-label"), /^pair 2, a turn in 11\.2 tokens/);
  await cell.press("ArrowDown");
  await awaitNumbers(page, tag, (data) => data.pair === 9);
  // The handles are at the ends of the hands of that pair: at distance 6 they nearly agree.
  const [x, y] = await centreOf(page, 9);
  const box = await page.locator(`${tag} .handle.query`).boundingBox();
  const end = [box.x + box.width / 2 - x, y - box.y - box.height / 2];
  close(Math.atan2(...end), 30 * 10_000 ** (-9 / pairs), 0.02);
});

test("without motion, time goes on by one position", async () => {
  const { page } = reader;
  await clockAt(page, 40, 34);
  const play = page.locator(`${tag} button.play`);
  await awaitText(play, "One position on");
  await play.click();
  const { isRunning } = await awaitNumbers(
    page,
    tag,
    ({ query, key }) => query === 41 && key === 35,
  );
  assert.equal(isRunning, false);
});

test("time runs until a key, the edge of the window or the last position stops it", async () => {
  const {
    page,
    complaints,
    close: leave,
  } = await openPage(session, {
    hash: fragment("en", "&ck=20.14"),
    reducedMotion: "no-preference",
  });
  await numbersOf(page, tag);
  const play = page.locator(`${tag} button.play`);
  const hasRun = (data) => data.isRunning && data.query > 21;
  await awaitText(play, "Let time run");
  await play.click();
  await awaitNumbers(page, tag, hasRun);
  await play.press("Escape");
  const stopped = await awaitNumbers(page, tag, ({ isRunning }) => !isRunning);
  assert.equal(stopped.query - stopped.key, 6);
  assert.ok(Number.isInteger(stopped.query) && stopped.query > 20, `${stopped.query}`);
  await page.waitForFunction(
    ([query, key]) => location.hash.includes(`ck=${query}.${key}`),
    [stopped.query, stopped.key],
  );
  await play.click();
  await awaitNumbers(page, tag, (data) => data.isRunning);
  await page.evaluate(() => scrollTo(0, 0));
  await awaitNumbers(page, tag, ({ isRunning }) => !isRunning);
  // Close to the end it ends by itself, and begins again.
  await follow(page, fragment("en", `&ck=${farthest - 1}.${farthest - 7}`));
  await bringIntoView(play);
  await play.click();
  await awaitNumbers(page, tag, ({ query, isRunning }) => query === farthest && !isRunning);
  await play.click();
  const again = await awaitNumbers(page, tag, ({ isRunning }) => isRunning);
  assert.ok(again.key < 100, `${again.key}`);
  await play.press("Escape");
  await awaitNumbers(page, tag, ({ isRunning }) => !isRunning);
  assert.deepEqual(complaints, []);
  await leave();
});

test("the code prints the shares and the score", async () => {
  const { page } = reader;
  const { shares, scores } = await clockAt(page, 40, 9);
  const lines = await runCodeOf(page, tag);
  assert.equal(lines.length, pairs + 1);
  for (let pair = 0; pair < pairs; pair++)
    close(Number(lines[pair].split(" ")[1]), shares[31 * pairs + pair], 1e-6);
  close(Number(lines.at(-1).split(" ")[1]), scores[31], 1e-5);
});
