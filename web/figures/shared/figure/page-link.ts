/** The way to a scheme's own page, which only the article has beside it. */
import { html, nothing, type TemplateResult } from "lit";
import { page } from "../../../state.js";
import type { SharedWords } from "./words.js";

/** A line of its own; `title` is said to who cannot see what it stands beside. */
export const pageLink = (id: string, { pages }: SharedWords, title = "") =>
  page.ownsAddress
    ? html`<p class="paper"
        ><a href="${pages.folder}${id}/">${pages.name}<span class="unseen"> ${title}</span></a></p
      >`
    : nothing;

/** A scheme's name, as a link where its page is. */
export const linkedName = (
  id: string,
  { pages }: SharedWords,
  name: string,
): string | TemplateResult =>
  page.ownsAddress ? html`<a href="${pages.folder}${id}/">${name}</a>` : name;
