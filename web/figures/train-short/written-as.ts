/** The reader's formula, as it will be trained, with the way to the page where it is written. */
import { html, nothing } from "lit";
import { page } from "../../state.js";
import type { Written } from "../shared/formula/slots.js";
import type { TrainWords } from "./words.js";

export function writtenAs({ parameters, ...formulas }: Written, title: string, words: TrainWords) {
  const lines = Object.entries({ ...formulas, ...(parameters && { parameters }) });
  return html`<p class="formula"
      >${title} ${page.ownsAddress ? html`<a href="#own">${words.formulaChange}</a>` : nothing}</p
    >
    <pre class="formula" lang="en" tabindex="0">
${lines.map(([part, text]) => `${part}: ${text}`).join("\n")}</pre>`;
}
