// Pictures of the built page for people to look at: one for each section of the article, language,
// theme and width of the window, into build/screenshots; with WF_FONTS=wide in faces that are a
// tenth wider, where what is cut or collides is to be seen, into build/screenshots-wide.
//   node scripts/screenshots.mjs
//   node scripts/screenshots.mjs --section 06-angle --lang zh --theme dark --width 390
// Each option may be given several times; without one all of its values are taken. Exit code 1
// where the page complained.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
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
import { themes } from "./build/stills/forms.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, SetupError } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const sections = readdirSync(join(root, "web/article")).sort();
const languages = ["en", "zh"];
/** A phone's, whose points are small, and a desk's. */
const scales = { 390: 2, 1280: 1 };
const folders = { own: "build/screenshots", wide: "build/screenshots-wide" };
const folder = join(root, folders[fontSet]);

const known = { section: sections, lang: languages, theme: themes, width: Object.keys(scales) };

/** What is asked for of each option, in the order of all its values. */
function chosen(values) {
  const kept = Object.entries(known).map(([name, all]) => {
    const strange = values[name]?.find((value) => !all.includes(value));
    if (strange !== undefined)
      throw new SetupError(`--${name} ${strange}: there are ${all.join(", ")}`);
    return [name, all.filter((value) => values[name]?.includes(value) ?? true)];
  });
  return Object.fromEntries(kept);
}

/**
 * Waits until the figures of a part of the article have their numbers, or say why they have none,
 * and nothing of it moves any more.
 */
async function readyFigures(page, name) {
  const { figures } = JSON.parse(
    readFileSync(join(root, "web/article", name, "section.json"), "utf8"),
  );
  for (const tag of figures) {
    await bringIntoView(page.locator(`main ${tag}`));
    await page.locator(`main ${tag}[filled]`).waitFor({ state: "attached" });
    // Cards of the gallery ask when a reader comes near, each for itself.
    for (const card of await page.locator(`main ${tag} wf-scheme-card`).all()) {
      await bringIntoView(card);
      await card.and(page.locator("[filled]")).waitFor({ state: "attached" });
    }
  }
  await laterFaces(page);
  await settled(page.locator("main"));
}

/**
 * As wide as the window: figures and notes reach out of their column. The opening is no section.
 */
const placeOf = (page, index) =>
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

/** Takes the sections in one language, theme and width; what the page complained of. */
async function take(session, { lang, theme, width, section: names }) {
  const { page, complaints, close } = await openPage(session, {
    hash: fragment(lang),
    width: Number(width),
    colorScheme: theme,
    deviceScaleFactor: scales[width],
  });
  // Else it stands across the picture of what is higher than the window.
  await page.locator("wf-bar").evaluate((bar) => {
    bar.style.position = "static";
  });
  for (const name of names) {
    await readyFigures(page, name);
    const clip = await placeOf(page, sections.indexOf(name));
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
