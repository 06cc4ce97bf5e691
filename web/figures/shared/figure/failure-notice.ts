/** The notice in place of a figure that has failed: the reason, and a button to try again. */
import { css, html } from "lit";
import type { Failure } from "../../../engine/both/failure.js";
import { languageOf } from "../../../language-of.js";
import { textFor } from "../../../text/index.js";
import { cureOf, failureSentence, remedyOf } from "./failure-sentence.js";

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
    padding: 0 0.9em;
    border: 1px solid var(--wf-soft);
    border-radius: 4px;
    font: inherit;
    color: inherit;
    background: none;
    cursor: pointer;
  }
`;

/** `target` is the element that contains the notice and gives its language. */
export function failureNotice(target: Element, failure: Failure, again: () => void) {
  const text = textFor(languageOf(target));
  const words = text.failure;
  const remedy = remedyOf(failure, text);
  return html`<div class="failure" part="failure" role="alert">
    <strong>${words.title}</strong>
    <p>${failureSentence(failure, text)}</p>
    ${
      remedy
        ? html`<p>${remedy}</p>`
        : html`<p>${cureOf(failure, text)}</p> <button @click=${again}>${words.again}</button>`
    }
  </div>`;
}
