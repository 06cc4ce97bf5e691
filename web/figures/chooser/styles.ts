/** Styles of the sentences and of the table's heads. */
import { css } from "lit";

export const chooserStyles = css`
  ol {
    margin: 0 0 1.2rem;
    padding-inline-start: 1.2em;
    max-width: 44rem;
    font: calc(17 * var(--wf-px, 1px)) / 1.55 var(--wf-serif);
  }

  :host(:lang(zh)) ol {
    line-height: 1.8;
  }

  li {
    margin-bottom: 0.5em;
  }

  li small {
    color: var(--wf-soft);
    font: calc(13 * var(--wf-px, 1px)) / 1.5 var(--wf-sans);
  }

  li a {
    color: inherit;
    text-underline-offset: 0.2em;
  }

  thead th {
    vertical-align: bottom;
  }

  th button {
    min-height: 44px;
    min-width: 44px;
    max-width: 7em;
    color: var(--wf-soft);
    text-align: start;
    white-space: normal;
    vertical-align: bottom;
  }

  th[aria-sort$="ending"] button {
    color: var(--wf-ink);
    font-weight: 600;
  }
`;
