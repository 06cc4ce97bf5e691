// One event path: how often figures render, and how often a picture is built or only painted,
// counted.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  bringIntoView,
  cellAt,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-real-heads");

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const heads = "wf-real-heads";
const ofModels = [heads, "wf-score-terms", "wf-distance-curve", "wf-surgery"];
/** Figures of the essay that show nothing of the models. */
const others = ["wf-who-chases", "wf-causal-order", "wf-added-position", "wf-turning-pairs"];

/** Counts by figure: its renders, and the builds and paints of its scenes. */
const counts = (page) =>
  page.evaluate(
    (tags) =>
      Object.fromEntries(
        tags.flatMap((tag) => {
          const figure = document.querySelector(tag);
          if (!figure) return [];
          const scenes = [...figure.shadowRoot.querySelectorAll("wf-scene")];
          const sum = (what) => scenes.reduce((total, scene) => total + scene[what], 0);
          const { renders } = figure;
          return [[tag, { renders, builds: sum("builds"), paints: sum("paints") }]];
        }),
      ),
    [...ofModels, ...others],
  );

const more = (now, before) =>
  Object.fromEntries(
    Object.entries(now).map(([tag, count]) => [
      tag,
      Object.fromEntries(
        Object.entries(count).map(([what, number]) => [what, number - before[tag][what]]),
      ),
    ]),
  );

let reader;

/**
 * Returns the page that most tests share, in its first state, with the pointer at no figure and all
 * figures of models awake and at rest.
 */
async function pageAtRest() {
  reader ??= await openPage(session, { path: home });
  const { page } = reader;
  await page.mouse.move(0, 0);
  await follow(page, fragment("en"));
  const read = await numbersOf(page, heads);
  reader.text ??= read.tokens.join("");
  const isRead = ({ tokens }) => tokens.join("") === reader.text;
  for (const tag of ofModels) await numbersOf(page, tag, (data) => !data.tokens || isRead(data));
  await bringIntoView(page.locator(heads));
  await atRest(page);
  return page;
}

/** Waits for `frames` frames in a row without a render: files of other figures may still load. */
const atRest = (page, frames = 60) =>
  page.evaluate(
    ([tags, wanted]) =>
      new Promise((resolve) => {
        let before = -1;
        let same = 0;
        const look = () => {
          const figures = tags.map((tag) => document.querySelector(tag)).filter(Boolean);
          // The gallery's cards go on rendering when it has: their trained models come later.
          const cards = figures.flatMap(({ shadowRoot }) => [
            ...(shadowRoot?.querySelectorAll("wf-scheme-card") ?? []),
          ]);
          const now = [...figures, ...cards].reduce((sum, { renders }) => sum + (renders ?? 0), 0);
          same = now === before ? same + 1 : 0;
          before = now;
          if (same === wanted) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    [[...ofModels, ...others, "wf-scheme-gallery"], frames],
  );

test("a keystroke renders each figure once, when its numbers have arrived", async () => {
  const page = await pageAtRest();
  const before = await counts(page);
  const text = "and he went up";
  await page.locator(heads).locator("wf-text-line textarea").fill(text);
  const isRead = ({ tokens }) => tokens.join("").trim() === text;
  await awaitNumbers(page, heads, isRead);
  await awaitNumbers(page, "wf-surgery", isRead);
  await atRest(page);
  const grown = more(await counts(page), before);
  assert.deepEqual(
    ofModels.map((tag) => [tag, grown[tag].renders]),
    [
      [heads, 1],
      ["wf-score-terms", 1],
      ["wf-distance-curve", 1],
      // Rendered once for the text, and once for the effect of the surgery.
      ["wf-surgery", 2],
    ],
  );
  // Two scenes, built for the new text and not while it is typed.
  assert.equal(grown[heads].builds, 2);
  assert.equal(grown["wf-surgery"].builds, 1);
});

test("a keystroke for the models renders no other figure of the essay", async () => {
  const { page, close } = await openPage(session);
  for (const tag of [...others, heads]) await numbersOf(page, tag);
  await atRest(page);
  const before = await counts(page);
  const text = "and he went up";
  await page.locator(heads).locator("wf-text-line textarea").fill(text);
  await awaitNumbers(page, heads, ({ tokens }) => tokens.join("").trim() === text);
  await atRest(page);
  const grown = more(await counts(page), before);
  assert.ok(grown[heads].renders >= 1);
  for (const tag of others) assert.equal(grown[tag].renders, 0, tag);
  await close();
});

test("a moving pointer paints its marks and builds no picture", async () => {
  const page = await pageAtRest();
  const [first] = (
    await page.evaluate((tag) => document.querySelector(tag).data.byScheme, heads)
  ).map(({ scheme }) => scheme);
  const maps = page.locator(heads).locator("wf-scene.maps");
  const canvas = maps.locator("canvas");
  const place = async (row, column) => ({ position: await cellAt(maps, first, row, column) });
  await canvas.hover(await place(5, 1));
  await atRest(page);
  const before = await counts(page);
  const moves = 3;
  for (let column = 2; column < 2 + moves; column++) {
    await canvas.hover(await place(5, column));
    await awaitNumbers(page, heads, ({ active }) => active.column === column);
  }
  await atRest(page);
  const grown = more(await counts(page), before);
  assert.deepEqual(grown[heads], { renders: moves, builds: 0, paints: moves });
  // Figures farther below need not follow every move.
  const { renders, ...drawn } = grown["wf-distance-curve"];
  assert.ok(renders >= 1 && renders <= moves, `${renders} renders`);
  assert.deepEqual(drawn, { builds: 0, paints: renders });
  // The sum of terms is that of the cell, so each cell builds another picture.
  const sums = grown["wf-score-terms"].renders;
  assert.ok(sums >= 1 && sums <= moves, `${sums} renders`);
  assert.deepEqual(grown["wf-surgery"], { renders: 0, builds: 0, paints: 0 });
});

test("figures far from the window update once, when the reader pauses", async () => {
  const page = await pageAtRest();
  const far = "wf-distance-curve";
  await page.evaluate(() => scrollTo(0, 0));
  await atRest(page);
  const before = await counts(page);
  // All in one task, during which no timer fires.
  const meanwhile = await page.evaluate(
    async ([heads, tag]) => {
      const figure = document.querySelector(heads);
      const scene = figure.shadowRoot.querySelector("wf-scene.maps");
      const [{ id }] = scene.picture.grids;
      for (let column = 0; column < 4; column++) {
        const detail = { grid: id, row: 5, column, chosen: false };
        scene.dispatchEvent(new CustomEvent("wf-cell", { detail }));
        await Promise.resolve();
      }
      return document.querySelector(tag).renders;
    },
    [heads, far],
  );
  assert.equal(meanwhile, before[far].renders);
  await atRest(page);
  const grown = more(await counts(page), before);
  assert.deepEqual(grown[far], { renders: 1, builds: 0, paints: 1 });
  assert.ok(grown[heads].renders >= 1, "the figure in the window does not follow");
});

test("a pointer moving over the open scheme paints its marks and its sum", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure("wf-scheme-gallery"),
    hash: fragment("en", "&g=sinusoidal"),
  });
  const gallery = "wf-scheme-gallery";
  await numbersOf(page, gallery);
  const portrait = "wf-scheme-portrait";
  const before = await numbersOf(page, portrait);
  const scene = page.locator(`${portrait} wf-frame > wf-scene`);
  const count = () =>
    page.locator(portrait).evaluate((node) => {
      const { builds, paints, picture } = node.shadowRoot.querySelector("wf-scene");
      return { renders: node.renders, builds, paints, sum: picture.grids.at(-1).label };
    });
  const rendersOfGallery = () =>
    page.locator(gallery).evaluate((node) => {
      const cards = [...node.shadowRoot.querySelectorAll("wf-scheme-card")];
      return [node, ...cards].reduce((sum, { renders }) => sum + renders, 0);
    });
  await bringIntoView(scene);
  const place = async (row, column) => ({ position: await cellAt(scene, "map", row, column) });
  await scene.locator("canvas").hover(await place(5, 0));
  await awaitNumbers(page, portrait, ({ active }) => active.row === 5);
  await atRest(page);
  const [first, around] = [await count(), await rendersOfGallery()];
  const moves = 2;
  for (let column = 1; column < 1 + moves; column++) {
    await scene.locator("canvas").hover(await place(5, column));
    await awaitNumbers(page, portrait, ({ active }) => active.column === column);
  }
  await atRest(page);
  const { sum, ...last } = await count();
  assert.deepEqual(last, {
    renders: first.renders + moves,
    builds: first.builds,
    paints: first.paints + moves,
  });
  assert.equal(await rendersOfGallery(), around);
  // The painted sum is that of the cell under the pointer, with its numbers in its grid.
  assert.notEqual(sum, first.sum);
  assert.ok(sum.includes(before.labels[5]) && sum.includes(before.labels[moves]), sum);
  await close();
});

test("setting a state to its present value renders nothing", async () => {
  const page = await pageAtRest();
  const before = await counts(page);
  await page.evaluate(() => {
    location.hash = `${location.hash}&h=0`;
  });
  await page.evaluate(() => dispatchEvent(new HashChangeEvent("hashchange")));
  await atRest(page);
  const grown = more(await counts(page), before);
  for (const [tag, { renders }] of Object.entries(grown)) assert.equal(renders, 0, tag);
});
