/** The link to a scheme's own page, which exists only beside the article. */
import { html, nothing, type TemplateResult } from "lit";
import { siteRoot } from "../../../site-root.js";
import { page } from "../../../state.js";
import type { SharedWords } from "./words.js";

/** Returns a line with the link; `title` adds the scheme's name for screen readers. */
export const pageLink = (id: string, { pages }: SharedWords, title = "") =>
  page.ownsAddress
    ? html`<p class="paper"
        ><a href="${siteRoot()}${pages.folder}${id}/"
          >${pages.name}<span class="unseen"> ${title}</span></a
        ></p
      >`
    : nothing;

/** Returns a scheme's name, as a link if its page exists. */
export const linkedName = (
  id: string,
  { pages }: SharedWords,
  name: string,
): string | TemplateResult =>
  page.ownsAddress ? html`<a href="${siteRoot()}${pages.folder}${id}/">${name}</a>` : name;
