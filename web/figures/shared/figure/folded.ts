/** Options for experts, folded under a line of text. */
import { css, html, type TemplateResult } from "lit";

export const foldedStyles = css`
  details {
    font-size: calc(14 * var(--wf-px, 1px));
  }

  summary {
    min-height: 44px;
    padding-block: 0.7em;
    color: var(--wf-soft);
    cursor: pointer;
  }

  summary:hover {
    color: var(--wf-ink);
  }

  summary:focus-visible {
    outline: 2px solid var(--wf-ink);
    outline-offset: 2px;
  }
`;

export const folded = (name: string, inside: unknown): TemplateResult =>
  html`<details slot="controls"><summary>${name}</summary>${inside}</details>`;
