// Takes pictures of the built page for review: one for each section of the article, language, theme
// and window width, into build/screenshots; with WF_FONTS=wide in faces that are a tenth wider,
// which shows cut or colliding text, into build/screenshots-wide.
//   node scripts/screenshots.mjs
//   node scripts/screenshots.mjs --section 06-angle --lang zh --theme dark --width 390
// Each option may be given several times; without one all of its values are used. Exit code 1 if
// the page logged an error.

import { mkdirSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import {
  bringIntoView,
  fontSet,
  fragment,
  laterFaces,
  openBrowser,
  openPage,
  settled,
} from "../tests/web/browser.mjs";
import { readSection } from "./build/article.mjs";
import { themes } from "./build/stills/forms.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, unexpected } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const sections = readdirSync(join(root, "web/article")).sort();
const languages = ["en", "zh"];
/** A phone's, with small pixels, and a desktop's. */
const scales = { 390: 2, 1280: 1 };
const folders = { page: "build/screenshots", wide: "build/screenshots-wide" };
const folder = join(root, folders[fontSet]);

const known = { section: sections, lang: languages, theme: themes, width: Object.keys(scales) };

/** The selected values of each option, in the order of all its values. */
function chosen(values) {
  const kept = Object.entries(known).map(([name, all]) => {
    const strange = values[name]?.find((value) => !all.includes(value));
    if (strange !== undefined) throw unexpected(`--${name}`, strange, `one of ${all.join(", ")}`);
    return [name, all.filter((value) => values[name]?.includes(value) ?? true)];
  });
  return Object.fromEntries(kept);
}

/**
 * Waits until the figures of a part of the article have their numbers or an error message, and
 * nothing in it moves any more.
 */
async function readyFigures(page, name) {
  for (const tag of readSection(name).figures) {
    await bringIntoView(page.locator(`main ${tag}`));
    await page.locator(`main ${tag}[filled]`).waitFor({ state: "attached" });
    // The gallery's cards load when they come near the viewport, each by itself.
    for (const card of await page.locator(`main ${tag} wf-scheme-card`).all()) {
      await bringIntoView(card);
      await card.and(page.locator("[filled]")).waitFor({ state: "attached" });
    }
  }
  await laterFaces(page);
  await settled(page.locator("main"));
}

/**
 * As wide as the window: figures and notes extend beyond their column. The opening is not a
 * section.
 */
const boxOf = (page, index) =>
  page.evaluate((at) => {
    const parts = [
      document.querySelector("header"),
      ...document.querySelectorAll("main > section"),
    ];
    const topOf = (part) => part.getBoundingClientRect().top + scrollY;
    const top = topOf(parts[at]);
    const bottom = topOf(parts[at + 1] ?? document.querySelector("footer"));
    return { x: 0, y: top, width: innerWidth, height: bottom - top };
  }, index);

/** Takes the sections in one language, theme and width; returns the page's errors. */
async function take(session, { lang, theme, width, section: names }) {
  const { page, complaints, close } = await openPage(session, {
    hash: fragment(lang),
    width: Number(width),
    colorScheme: theme,
    deviceScaleFactor: scales[width],
  });
  // Otherwise it covers part of a picture higher than the window.
  await page.locator("wf-bar").evaluate((bar) => {
    bar.style.position = "static";
  });
  for (const name of names) {
    await readyFigures(page, name);
    const clip = await boxOf(page, sections.indexOf(name));
    const path = join(folder, `${name}-${lang}-${theme}-${width}.png`);
    await page.screenshot({ path, fullPage: true, clip });
    say(relative(root, path));
  }
  for (const complaint of complaints) say(`${lang}, ${theme}, ${width}: ${complaint}`);
  await close();
  return complaints.length;
}

await runMain(async () => {
  const options = Object.fromEntries(
    Object.keys(known).map((name) => [name, { type: "string", multiple: true }]),
  );
  const { section, ...rest } = chosen(parseArgs({ options }).values);
  await ensure({ groups: ["browser"], emscripten: false });
  mkdirSync(folder, { recursive: true });
  const session = await openBrowser();
  let complaints = 0;
  try {
    for (const width of rest.width)
      for (const lang of rest.lang)
        for (const theme of rest.theme)
          complaints += await take(session, { section, lang, theme, width });
  } finally {
    await session.close();
  }
  return complaints ? 1 : 0;
});
