/** Styles of the sentences. */
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
`;
