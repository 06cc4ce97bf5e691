// Composes the essay: web/essay/<section>/ has a section's text in both languages, with the places
// of its figures. A Vite plugin, which inserts all sections at <!-- essay --> in web/index.html.

import { barTag, barWithLinks } from "./contents.mjs";
import { startTag } from "./figures.mjs";
import { minutesLeft } from "./minutes.mjs";
import { modelTable } from "./models/table.mjs";
import { languages, markerOf, pages, proseFolders, readSection, sectionNames } from "./prose.mjs";
import { upFrom } from "./schemes/frame.mjs";
import { stillSwap, swapTag } from "./still-swap.mjs";

/** Line ends of the text become spaces, as in a browser: the page is half a KB smaller. */
const inOneLine = (block) => block.replace(/\s+/g, " ");

const withLanguage = (block, language) => {
  if (!/^<(?:p|ul|ol|aside|blockquote|div|details|pre)\b/.test(block))
    throw new Error(`a block begins with <p>, <ul>, <ol>, <aside>, <details> or <div>: ${block}`);
  const written = block.includes("<pre") ? block : inOneLine(block);
  return written.replace(/^<\w+/, `$& lang="${languages[language]}"`);
};

const innerOf = (heading) => inOneLine(heading).replace(/^<h2>|<\/h2>$/g, "");

function headingOf(en, zh, { id, number }, attributes) {
  const spans = Object.entries({ en, zh }).map(
    ([language, heading]) =>
      `<span lang="${languages[language]}" id="${id}-${language}">${innerOf(heading)}</span>`,
  );
  const numeral = number ? `<span class="number">${number}</span>` : "";
  return `<h2${attributes}>${numeral}${spans.join("")}</h2>`;
}

/** The place of the table of models, which is made from docs/models. */
const modelIndex = "model-index";

function replaced(marker, source) {
  if (marker === modelIndex) return modelTable();
  if (marker.startsWith("#")) return `<div id="${marker.slice(1)}" tabindex="-1"></div>`;
  if (marker.endsWith(".html")) return source.read(marker).trim();
  return `${startTag(marker)}</${marker}>`;
}

/** Pairs of blocks as HTML, both languages side by side; the page shows one of them. */
function composeBlocks(source) {
  const parts = [];
  source.en.forEach((block, index) => {
    const other = source.zh[index];
    const marker = markerOf(block);
    if (marker) parts.push(replaced(marker, source));
    else {
      const pair = `${withLanguage(block, "en")}\n${withLanguage(other, "zh")}`;
      // A note is placed beside the paragraph before it.
      if (block.startsWith("<aside"))
        parts.push(`<div class="with-note">\n${parts.pop()}\n${pair}\n</div>`);
      else parts.push(pair);
    }
  });
  return parts.join("\n\n");
}

const blocksFrom = (source, from, to) => ({
  ...source,
  en: source.en.slice(from, to),
  zh: source.zh.slice(from, to),
});

/**
 * The line under a section's heading: how long the rest takes, unless the section `before` it has
 * said the same, and a link past it.
 */
function sectionLine(minutes, before, next) {
  const words = {
    en: (left) => [`${left} min left`, `skip to ${next?.number}`],
    zh: (left) => [`还有 ${left} 分钟`, `跳到第 ${next?.number} 节`],
  };
  const lines = Object.entries(words).map(([language, say]) => {
    const [time, skip] = say(minutes[language]);
    const isNews = minutes[language] !== before?.[language];
    const link = next ? `<a href="#${next.id}">${skip}</a>` : "";
    const line = [isNews ? time : "", link].filter(Boolean).join(" · ");
    return `<p class="section-line" lang="${languages[language]}">${line}</p>`;
  });
  return lines.join("\n");
}

/**
 * A section of the essay, with the minutes from its beginning to the essay's end, and those of the
 * section before it. `next` is the section after it, if any.
 */
function composeSection(section, minutes, before, next) {
  const { id, en, zh } = section;
  if (!id) return `<div class="hero">\n${composeBlocks(section)}\n</div>`;
  const heading = headingOf(en[0], zh[0], section, ` id="${id}" tabindex="-1"`);
  const body = composeBlocks(blocksFrom(section, 1));
  return (
    `<section aria-labelledby="${id}-en ${id}-zh">\n` +
    `${heading}\n\n${sectionLine(minutes, before, next)}\n\n${body}\n</section>`
  );
}

/** The sections of a tool's page: one for each heading, and one for what precedes the first. */
export function composeTool(tool) {
  const starts = tool.en.flatMap((block, index) => (block.startsWith("<h2>") ? [index] : []));
  // An anchor before a heading belongs to its section.
  const begins = starts.map((at) =>
    markerOf(tool.en[at - 1] ?? "")?.startsWith("#") ? at - 1 : at,
  );
  const bounds = [0, ...begins, tool.en.length];
  return bounds
    .slice(1)
    .flatMap((to, index) => {
      const from = bounds[index];
      if (from === to) return [];
      const part = blocksFrom(tool, from, to);
      const at = part.en.findIndex((block) => block.startsWith("<h2>"));
      const id = `${tool.id}-${index}`;
      if (at < 0) {
        // The titles of figures are one level below a heading, which these sections do not show.
        const hidden = headingOf("The figure", "图", { id }, ' class="unseen"');
        return [`<section>\n${hidden}\n\n${composeBlocks(part)}\n</section>`];
      }
      const before = composeBlocks(blocksFrom(part, 0, at));
      const heading = headingOf(part.en[at], part.zh[at], { id }, "");
      const after = composeBlocks(blocksFrom(part, at + 1));
      const body = [before, heading, after].join("\n\n");
      return [`<section aria-labelledby="${id}-en ${id}-zh">\n${body}\n</section>`];
    })
    .join("\n\n");
}

/**
 * Sends the links of a page where their ends are: `#id` to the page that has it, other relative
 * addresses are from the site's root.
 */
export function withLinks(html, path) {
  const all = pages();
  const present = all.find((page) => page.path === path)?.ids ?? [];
  const up = upFrom(path);
  return html.replace(/(<a\b[^>]*?\shref=")([^"]*)"/g, (whole, start, address) => {
    if (/^(?:[a-z]+:|\.)/.test(address)) return whole;
    if (!address.startsWith("#")) return `${start}${up}${address}"`;
    const id = address.slice(1);
    if (present.includes(id) || ["top", "text"].includes(id)) return whole;
    const page = all.find(({ ids }) => ids.includes(id));
    if (!page) throw new Error(`${path || "the essay"}: no page has #${id}`);
    return `${start}${up}${page.path}#${id}"`;
  });
}

/** The whole essay, as the contents of <main>. */
export function composeEssay() {
  const sections = sectionNames().map(readSection);
  const minutes = minutesLeft(sections);
  const html = sections.map((section, index) =>
    composeSection(section, minutes[index], minutes[index - 1], sections[index + 1]),
  );
  return withLinks(html.join("\n\n"), "");
}

export function article() {
  return {
    name: "article",
    transformIndexHtml: {
      order: "pre",
      handler: async (html) => {
        if (!html.includes("<!-- essay -->")) return html;
        const still = await stillSwap();
        const essay = composeEssay().replace(swapTag, () => still);
        const [minutes] = minutesLeft(sectionNames().map(readSection));
        return html
          .replace(barTag, () => barWithLinks(""))
          .replace("<!-- essay -->", () => essay)
          .replace(/<!-- minutes (\w+) -->/g, (_, language) => minutes[language]);
      },
    },
    configureServer({ watcher, ws }) {
      watcher.add(proseFolders);
      watcher.on("change", (file) => {
        if (proseFolders.some((folder) => file.startsWith(folder)))
          ws.send({ type: "full-reload" });
      });
    },
  };
}
