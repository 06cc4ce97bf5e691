// The bar's links, in each language: the parts of the site, the essay's sections and the tools.
// Readers without scripts see them as they are; with scripts <wf-bar> shows them in its own way.

import { languages, readSection, readTool, sectionNames, toolNames } from "./prose.mjs";
import { upFrom } from "./schemes/frame.mjs";

/** The bar in web/index.html. */
export const barTag = "<wf-bar></wf-bar>";

const words = {
  en: { contents: "Contents", essay: "Essay", schemes: "Schemes", tools: "Tools", use: "Use it" },
  zh: { contents: "目录", essay: "文章", schemes: "方案", tools: "工具", use: "拿去用" },
};

const link = (href, name, attributes = "") => `<a href="${href}"${attributes}>${name}</a>`;

function linksIn(language, path) {
  const up = upFrom(path);
  const { essay, schemes, tools, use } = words[language];
  const parts = [
    link(path ? up : "#top", essay, ' data-part="essay"'),
    link(`${up}tools/schemes/`, schemes, ' data-part="schemes"'),
    link(`${up}tools/`, tools, ' data-part="tools"'),
    link(`${up}tools/use/`, use, ' data-part="use"'),
  ];
  const sections = sectionNames()
    .map(readSection)
    .filter(({ id }) => id)
    .map(({ id, number, title }) =>
      link(`${path ? up : ""}#${id}`, title[language], ` data-section="${number ?? ""}"`),
    );
  const pages = toolNames()
    .map(readTool)
    .map((tool) => {
      // Once, in the first language: what is on which page, for web/site.ts.
      const says = language === "en" ? ` data-has="${tool.anchors.join(" ")}"` : "";
      return link(up + tool.path, tool.short[language], says);
    });
  return [...parts, ...sections, ...pages].join(" ");
}

/** The bar of the page at a path, with its links. */
export const barWithLinks = (path) =>
  `<wf-bar>${Object.entries(languages)
    .map(
      ([language, tag]) =>
        `<nav class="unscripted" lang="${tag}" aria-label="${words[language].contents}">` +
        `${linksIn(language, path)}</nav>`,
    )
    .join("")}</wf-bar>`;
