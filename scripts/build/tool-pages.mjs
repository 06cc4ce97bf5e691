// The pages of the tools, tools/<id>/, and the list of them, tools/. A Vite plugin, which writes
// them beside the essay: the frame is that of the built essay, with the texts of web/tools. SITE,
// the site's future address, makes canonical addresses absolute.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { composeTool, withLinks } from "./article.mjs";
import { barWithLinks } from "./contents.mjs";
import { languages, readTool, toolNames } from "./prose.mjs";
import { upFrom } from "./schemes/frame.mjs";
import { escaped } from "./schemes/markup.mjs";

/** The list of the tools. */
const readList = () => ({
  path: "tools/",
  ...JSON.parse(readFileSync(join(root, "web/tools/page.json"), "utf8")),
});

const inBoth = (say) =>
  Object.entries(languages)
    .map(([language, tag]) => say(language, tag))
    .join("\n");

const openingOf = ({ title, description }) =>
  `<header class="opening tool" id="top" tabindex="-1">
${inBoth((language, tag) => `<h1 lang="${tag}">${title[language]}</h1>`)}
${inBoth((language, tag) => `<p class="standfirst" lang="${tag}">${description[language]}</p>`)}
</header>`;

/** All tools with their titles and descriptions. */
function listOf(tools) {
  const item = (language, tag) => (tool) =>
    `<li lang="${tag}"><a href="${tool.path}">${tool.title[language]}</a>` +
    `<br />${tool.description[language]}</li>`;
  const lists = inBoth(
    (language, tag) =>
      `<ul class="tools" lang="${tag}">\n${tools.map(item(language, tag)).join("\n")}\n</ul>`,
  );
  return `<section>\n${lists}\n</section>`;
}

/** Title and description in both languages, as the essay's page has them. */
function headOf({ path, title, description }) {
  const site = process.env.SITE;
  const text = (part) => escaped(`${part.en} · ${part.zh}`);
  return `<title>${escaped(title.en)} · Whereformer</title>
    <meta name="description" content="${text(description)}" />
    <link rel="canonical" href="${site ? new URL(path, site).href : "./"}" />
    <meta property="og:type" content="article" />
    <meta property="og:title" content="${text(title)}" />
    <meta property="og:description" content="${text(description)}" />`;
}

/** A page in the frame of the essay, `html`. */
function pageIn(html, page, body) {
  const up = upFrom(page.path);
  const attributes =
    `data-wf-site="${up}" data-title-en="${escaped(page.title.en)} · Whereformer" ` +
    `data-title-zh="${escaped(page.title.zh)} · Whereformer"`;
  const main = withLinks(body, page.path);
  return html
    .replace(/((?:src|href)=")\.\//g, `$1${up}`)
    .replace('<html lang="en"', `<html lang="en" ${attributes}`)
    .replace(/<title>[\s\S]*?<\/title>\s*<meta\s+name="description"[^>]*>/, () => headOf(page))
    .replace(/<wf-bar>[\s\S]*?<\/wf-bar>/, () => barWithLinks(page.path))
    .replace(
      /<header class="opening"[\s\S]*<\/main>/,
      () => `${openingOf(page)}\n\n<main id="text" tabindex="-1">${main}</main>`,
    );
}

/** Every page by its path. */
function pagesIn(html) {
  const tools = toolNames().map(readTool);
  const list = readList();
  return new Map([
    [list.path, pageIn(html, list, listOf(tools))],
    ...tools.map((tool) => [tool.path, pageIn(html, tool, composeTool(tool))]),
  ]);
}

export function toolPages() {
  return {
    name: "tool-pages",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [path, source] of pagesIn(String(bundle["index.html"].source)))
          this.emitFile({ type: "asset", fileName: `${path}index.html`, source });
      },
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = new URL(request.url, "http://page").pathname.slice(1);
        if (!path.startsWith("tools/")) return next();
        const html = pagesIn(readFileSync(join(root, "web/index.html"), "utf8")).get(path);
        if (!html) return next();
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(await server.transformIndexHtml(request.url, html));
      });
    },
  };
}
