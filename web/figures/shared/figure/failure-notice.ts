/** What stands in a figure's place when it has failed: why, and a way to try again. */
import { css, html } from "lit";
import type { Failure } from "../../../engine/both/failure.js";
import { languageOf } from "../../../language-of.js";
import { textFor } from "../../../text/index.js";

export const failureStyles = css`
  .failure {
    padding: 1.2rem 0;
    border-block: 1px solid var(--wf-hair);
  }

  .failure p {
    margin: 0.3em 0 0;
  }

  .failure button {
    min-height: 44px;
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-bottom: 1px solid var(--wf-ink);
    cursor: pointer;
  }
`;

/** `place` is the element in which it stands, whose language it speaks. */
export function failureNotice(place: Element, { code, message }: Failure, again: () => void) {
  const words = textFor(languageOf(place)).failure;
  const causes: Record<string, string> = words;
  const remedies: Record<string, string> = {
    invalid_argument: words.otherOptions,
    malformed_map: words.otherNumbers,
  };
  return html`<div class="failure" part="failure" role="alert">
    <strong>${words.title}</strong>
    <p>${causes[code] ?? words.other} <span lang="en">${message}</span></p>
    ${
      remedies[code]
        ? html`<p>${remedies[code]}</p>`
        : html`<p>${words.cure}</p>
          <button @click=${again}>${words.again}</button>`
    }
  </div>`;
}
