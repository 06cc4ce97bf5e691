// Plain links to the sections, for readers without scripts: with scripts, <wf-bar> shows its own.

import { openSources } from "./page-sources.mjs";

/** The bar in web/index.html. */
export const barTag = "<wf-bar></wf-bar>";

/** The bar with a list of links in each language. */
export async function barWithLinks() {
  const sources = await openSources();
  try {
    const { pageWords } = await sources.load("/text/words.ts");
    const lists = Object.values(pageWords).map(({ htmlLang, bar: { contents, sections } }) => {
      const links = sections.map(([id, name]) => `<a href="#${id}">${name}</a>`).join(" ");
      return `<nav class="unscripted" lang="${htmlLang}" aria-label="${contents}">${links}</nav>`;
    });
    return `<wf-bar>${lists.join("")}</wf-bar>`;
  } finally {
    await sources.close();
  }
}
