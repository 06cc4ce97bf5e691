// The ways to the sections as plain links, for whoever has no scripts: with them <wf-bar> shows its
// own.

import { openSources } from "./page-sources.mjs";

/** Where web/index.html has the bar. */
export const placeOfBar = "<wf-bar></wf-bar>";

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
