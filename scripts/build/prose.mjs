// The sources of the pages' text: web/essay has a folder for each section of the essay, web/tools
// one for each page of a tool. A folder has its text in both languages, en.html and zh.html, with
// the places of its figures, and section.json or page.json.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";

export const languages = { en: "en", zh: "zh-Hans" };
export const proseFolders = ["web/essay", "web/tools"].map((path) => join(root, path));
const [essayFolder, toolsFolder] = proseFolders;

/** Blocks are separated by blank lines: `<h2>…</h2>`, `<p>…</p>`, `<!-- wf-costs -->`. */
const blocksOf = (text) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean);

/** The name in a block that is a comment: a figure, an anchor or a file. */
export const markerOf = (block) => /^<!-- (\S+) -->$/.exec(block)?.[1];

/** The figures, anchors and shared pieces in the blocks of one language, in order. */
export const markersIn = (blocks) => blocks.map(markerOf).filter(Boolean);

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

function readFolder(folder, name, jsonFile) {
  const read = (file) => readFileSync(join(folder, name, file), "utf8");
  const [en, zh] = Object.keys(languages).map((language) => blocksOf(read(`${language}.html`)));
  const markers = markersIn(en);
  if (en.length !== zh.length || markers.join() !== markersIn(zh).join())
    throw new Error(
      `${join(folder, name)}: the blocks of en.html (${en.length}) and zh.html (${zh.length}) ` +
        "differ in number, or in the order of figures and anchors",
    );
  return {
    name,
    ...JSON.parse(read(jsonFile)),
    figures: markers.filter((marker) => marker.startsWith("wf-")),
    anchors: markers.filter((marker) => marker.startsWith("#")).map((marker) => marker.slice(1)),
    en,
    zh,
    read,
  };
}

/** Folders of the essay's sections, in order. */
export const sectionNames = () => foldersIn(essayFolder);

/** A section: its id, number and short name, its figures, and its blocks in both languages. */
export const readSection = (name) => readFolder(essayFolder, name, "section.json");

/** Folders of the tools' pages, in order. */
export const toolNames = () => foldersIn(toolsFolder);

/** A tool's page: its id, path, names, title and description, its figures, anchors and blocks. */
export function readTool(name) {
  const id = name.replace(/^\d+-/, "");
  return { id, path: `tools/${id}/`, ...readFolder(toolsFolder, name, "page.json") };
}

const unique = (list) => [...new Set(list)];

/**
 * All pages of text in both languages, the essay first: the path relative to the site's root, the
 * tags of the figures in order, and the ids of places that a link can lead to.
 */
export function pages() {
  const sections = sectionNames().map(readSection);
  const tools = toolNames().map(readTool);
  return [
    {
      path: "",
      figures: sections.flatMap(({ figures }) => figures),
      ids: sections.flatMap(({ id, anchors }) => [...(id ? [id] : []), ...anchors]),
    },
    ...tools.map(({ path, figures, anchors }) => ({ path, figures, ids: anchors })),
  ];
}

/** Tags of the essay's figures, in order. */
export const tagsOfEssay = () => pages()[0].figures;

/** Tags of the figures of all pages, each once: the essay's first. */
export const tagsOfPages = () => unique(pages().flatMap(({ figures }) => figures));

/** Path of the first tool page that has the figure; otherwise of the essay. */
export function pathOfFigure(tag) {
  const [essay, ...tools] = pages();
  const page = [...tools, essay].find(({ figures }) => figures.includes(tag));
  if (!page) throw new Error(`no page has <${tag}>`);
  return page.path;
}
