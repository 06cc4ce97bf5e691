// Composes the article: web/article/<section>/ has a section's prose in both languages, with the
// places of its figures, and section.json. A Vite plugin, which inserts all sections at
// <!-- article --> in web/index.html.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { barTag, barWithLinks } from "./contents.mjs";
import { startTag } from "./figures.mjs";
import { stillSwap, swapTag } from "./still-swap.mjs";

const folder = join(root, "web/article");
const languages = { en: "en", zh: "zh-Hans" };

/** Blocks are separated by blank lines: `<h2>…</h2>`, `<p>…</p>`, `<!-- wf-costs -->`. */
const blocksOf = (text) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean);

const markerOf = (block) => /^<!-- (\S+) -->$/.exec(block)?.[1];

/** The figures, anchors and shared pieces in the blocks of one language, in order. */
export const markersIn = (blocks) => blocks.map(markerOf).filter(Boolean);

/** Folders of the article's sections, in order. */
export const sectionNames = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The source of a section: its id, number and figures, and its blocks in both languages. */
export function readSection(name) {
  const read = (file) => readFileSync(join(folder, name, file), "utf8");
  const blocks = (language) => blocksOf(read(`${language}.html`));
  const [en, zh] = [blocks("en"), blocks("zh")];
  const figures = markersIn(en).filter((marker) => marker.startsWith("wf-"));
  return { name, ...JSON.parse(read("section.json")), figures, en, zh, read };
}

/** Line ends of the prose become spaces, as in a browser: the page is half a KB smaller. */
const inOneLine = (block) => block.replace(/\s+/g, " ");

const withLanguage = (block, language) => {
  if (!/^<(?:p|ul|ol|aside|blockquote|div)\b/.test(block))
    throw new Error(`web/article: a block begins with <p>, <ul>, <ol>, <aside> or <div>: ${block}`);
  return inOneLine(block).replace(/^<\w+/, `$& lang="${languages[language]}"`);
};

const innerOf = (heading) => inOneLine(heading).replace(/^<h2>|<\/h2>$/g, "");

/** The first heading has the section's name and number. */
function headingOf(en, zh, { id, number }, isFirst) {
  const named = (language) => (isFirst ? ` id="${id}-${language}"` : "");
  const spans = Object.entries({ en, zh }).map(
    ([language, heading]) =>
      `<span lang="${languages[language]}"${named(language)}>${innerOf(heading)}</span>`,
  );
  const numeral = isFirst && number ? `<span class="number">${number}</span>` : "";
  const attributes = isFirst ? ` id="${id}" tabindex="-1"` : "";
  return `<h2${attributes}>${numeral}${spans.join("")}</h2>`;
}

function replaced(marker, section) {
  if (marker.startsWith("#")) return `<div id="${marker.slice(1)}" tabindex="-1"></div>`;
  if (marker.endsWith(".html")) return section.read(marker).trim();
  return `${startTag(marker)}</${marker}>`;
}

/** A section with both languages side by side; the page shows one of them. */
function composeSection(name) {
  const section = readSection(name);
  const { id, en, zh } = section;
  if (en.length !== zh.length || markersIn(en).join() !== markersIn(zh).join())
    throw new Error(`web/article/${name}: en.html and zh.html have different blocks`);
  const parts = [];
  en.forEach((block, index) => {
    const other = zh[index];
    const marker = markerOf(block);
    if (marker) parts.push(replaced(marker, section));
    else if (block.startsWith("<h2>"))
      parts.push(headingOf(block, other, section, parts.length === 0));
    else {
      const pair = `${withLanguage(block, "en")}\n${withLanguage(other, "zh")}`;
      // A note is placed beside the paragraph before it.
      if (block.startsWith("<aside"))
        parts.push(`<div class="with-note">\n${parts.pop()}\n${pair}\n</div>`);
      else parts.push(pair);
    }
  });
  const body = parts.join("\n\n");
  return id ? `<section aria-labelledby="${id}-en ${id}-zh">\n${body}\n</section>` : body;
}

/** The whole article, as the contents of <main>. */
export const composeArticle = () => sectionNames().map(composeSection).join("\n\n");

export function article() {
  return {
    name: "article",
    transformIndexHtml: {
      order: "pre",
      handler: async (html) => {
        if (!html.includes("<!-- article -->")) return html;
        const still = await stillSwap();
        const article = composeArticle().replace(swapTag, () => still);
        const bar = await barWithLinks();
        return html.replace(barTag, bar).replace("<!-- article -->", () => article);
      },
    },
    configureServer({ watcher, ws }) {
      watcher.add(folder);
      watcher.on("change", (file) => {
        if (file.startsWith(folder)) ws.send({ type: "full-reload" });
      });
    },
  };
}

/** Tags of the article's figures, in order. */
export const tagsOfArticle = () => sectionNames().flatMap((name) => readSection(name).figures);
