// Takes pictures of the built pages for review, one for each section of the essay or tool,
// language, theme and window width, into build/screenshots; with WF_FONTS=wide in faces that are a
// tenth wider, which shows cut or colliding text, into build/screenshots-wide.
//   node scripts/screenshots.mjs
//   node scripts/screenshots.mjs --section 06-angle --lang zh --theme dark --width 390
//   node scripts/screenshots.mjs --section tools/length
// Each option may be given several times; without one all of its values are used. Exit code 1 if
// the page logged an error.

import { mkdirSync } from "node:fs";
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
import { pages, readSection, sectionNames } from "./build/prose.mjs";
import { themes } from "./build/stills/forms.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, unexpected } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const sections = sectionNames();
const tools = pages().slice(1);
const nameOf = ({ path }) => path.replace(/\/$/, "");
const languages = ["en", "zh"];
/** A phone's, with small pixels, and a desktop's. */
const scales = { 390: 2, 1280: 1 };
const folders = { page: "build/screenshots", wide: "build/screenshots-wide" };
const folder = join(root, folders[fontSet]);

const known = {
  section: [...sections, ...tools.map(nameOf)],
  lang: languages,
  theme: themes,
  width: Object.keys(scales),
};

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
 * Waits until these figures have their numbers or an error message, and
 * nothing in it moves any more.
 */
async function readyFigures(page, figures) {
  for (const tag of figures) {
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

/** Opens a page whose bar covers no part of a picture higher than the window. */
async function openWhole(session, path, { lang, theme, width }) {
  const opened = await openPage(session, {
    path,
    hash: fragment(lang),
    width: Number(width),
    colorScheme: theme,
    deviceScaleFactor: scales[width],
  });
  await opened.page.locator("wf-bar").evaluate((bar) => {
    bar.style.position = "relative";
  });
  return opened;
}

/** Takes the sections and pages in one language, theme and width; returns the number of errors. */
async function take(session, look, names) {
  const { lang, theme, width } = look;
  const said = [];
  const save = async (page, name, clip) => {
    const path = join(folder, `${name.replace("/", "-")}-${lang}-${theme}-${width}.png`);
    await page.screenshot({ path, fullPage: true, ...(clip ? { clip } : {}) });
    say(relative(root, path));
  };
  const ofEssay = names.filter((name) => sections.includes(name));
  if (ofEssay.length) {
    const { page, complaints, close } = await openWhole(session, "", look);
    for (const name of ofEssay) {
      await readyFigures(page, readSection(name).figures);
      await save(page, name, await boxOf(page, sections.indexOf(name)));
    }
    said.push(...complaints);
    await close();
  }
  for (const tool of tools.filter((one) => names.includes(nameOf(one)))) {
    const { page, complaints, close } = await openWhole(session, tool.path, look);
    await readyFigures(page, tool.figures);
    await save(page, nameOf(tool));
    said.push(...complaints);
    await close();
  }
  for (const complaint of said) say(`${lang}, ${theme}, ${width}: ${complaint}`);
  return said.length;
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
          complaints += await take(session, { lang, theme, width }, section);
  } finally {
    await session.close();
  }
  return complaints ? 1 : 0;
});
