// Measures the heights of the pages' figures with their numbers, and of their parts between
// title and picture: the page reserves that space for each until it has them
// (web/loading/figure-heights.css).
//   node scripts/figure-heights.mjs            prints them
//   node scripts/figure-heights.mjs --write    writes the file; rebuild the page afterwards
//   node scripts/figure-heights.mjs --only wf-stretch --write    measures one, keeps the others

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fragment, openBrowser, openPage } from "../tests/web/browser.mjs";
import { pages, tagsOfPages } from "./build/prose.mjs";
import { wideFrom } from "./build/stills/forms.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const file = "web/loading/figure-heights.css";
const windows = { phone: 390, screen: 1280 };
const languages = ["en", "zh"];
// The first figure has a still picture of the same size.
const tags = tagsOfPages().filter((tag) => tag !== "wf-word-swap");

/** Its height, and the height of the parts between its title and its picture. */
function measured(figure) {
  const frame = figure.shadowRoot.querySelector("wf-frame");
  const title = frame?.shadowRoot.querySelector("h3");
  const picture = figure.shadowRoot.querySelector(
    // Its text is needed once there is a model.
    "wf-model-source ~ wf-text-line, wf-scene, .maps, wf-map-view",
  );
  const height = Math.round(figure.getBoundingClientRect().height);
  if (!title || !picture) return { height, above: 0 };
  const below =
    title.getBoundingClientRect().bottom + parseFloat(getComputedStyle(title).marginBottom);
  return { height, above: Math.max(0, Math.round(picture.getBoundingClientRect().top - below)) };
}

/** The gallery's cards load one after the other. */
async function settledHeight(figure) {
  let [before, now] = [await figure.evaluate(measured)];
  for (let same = 0; same < 4; same = now.height === before.height ? same + 1 : 0, before = now) {
    await sleep(250);
    now = await figure.evaluate(measured);
  }
  return before;
}

/** Scrolls through a page, and waits at each figure until it has its numbers. */
async function heightsOn({ path, figures }, session, language, width, measuredTags) {
  const { page, close } = await openPage(session, { path, hash: fragment(language), width });
  const heights = {};
  for (const tag of figures.filter((one) => measuredTags.includes(one))) {
    const figure = page.locator(`main > section > ${tag}`);
    await figure.evaluate((node) => node.scrollIntoView());
    await page.locator(`${tag}[filled]`).waitFor({ state: "attached", timeout: 120_000 });
    heights[tag] = await settledHeight(figure);
  }
  await close();
  return heights;
}

/** The heights of all figures: of those on several pages, that on the essay. */
async function heightsIn(session, language, width, measuredTags) {
  const heights = {};
  for (const page of pages().reverse())
    Object.assign(heights, await heightsOn(page, session, language, width, measuredTags));
  return heights;
}

const rulesOf = (heights, selector) =>
  Object.entries(heights)
    .map(([tag, { height, above }]) => {
      const room = above > 4 ? `  --wf-above: ${above}px;\n` : "";
      return `${tag}:not([filled])${selector} {\n  min-height: ${height}px;\n${room}}\n`;
    })
    .join("");

const indented = (text) => text.replace(/^(?=.)/gm, "  ");

function styleOf({ phone, screen }) {
  const both = ({ en, zh }) => `${rulesOf(en, "")}\n${rulesOf(zh, ":lang(zh)")}`;
  return (
    "/* Measured and written by `node scripts/figure-heights.mjs --write`: on a phone first. */\n" +
    `${both(phone)}\n@media (min-width: ${wideFrom}) {\n${indented(both(screen))}}\n`
  );
}

const selector = /(wf-[\w-]+):not\(\[filled\]\)(:lang\(zh\))?/.source;
const declarations = /min-height: (\d+)px;\s*(?:--wf-above: (\d+)px;\s*)?/.source;
const rule = new RegExp(`${selector} \\{\\s*${declarations}\\}`, "g");

/** The heights that the file has. */
function writtenHeights() {
  const parts = readFileSync(join(root, file), "utf8").split("@media");
  const found = {};
  for (const [at, name] of Object.keys(windows).entries()) {
    found[name] = { en: {}, zh: {} };
    for (const [, tag, isChinese, height, above = 0] of parts[at].matchAll(rule))
      found[name][isChinese ? "zh" : "en"][tag] = { height: Number(height), above: Number(above) };
  }
  return found;
}

/** Those of the article's figures, in its order: the new ones, and the written ones. */
const inOrder = (fresh, written) =>
  Object.fromEntries(
    tags.flatMap((tag) => {
      const heights = fresh[tag] ?? written[tag];
      return heights ? [[tag, heights]] : [];
    }),
  );

await runMain(async () => {
  const options = { write: { type: "boolean" }, only: { type: "string", multiple: true } };
  const { values } = parseArgs({ options });
  const written = values.only ? writtenHeights() : undefined;
  await ensure({ groups: ["browser"], emscripten: false });
  const session = await openBrowser(undefined, { fonts: "own" });
  const found = {};
  try {
    for (const [name, width] of Object.entries(windows)) {
      found[name] = {};
      for (const language of languages)
        found[name][language] = inOrder(
          await heightsIn(session, language, width, values.only ?? tags),
          written?.[name][language] ?? {},
        );
    }
  } finally {
    await session.close();
  }
  if (values.write) writeFileSync(join(root, file), styleOf(found));
  else say(styleOf(found));
});
