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

  /* It has its width before it has numbers: to ask for it then would lay out the page once more. */
  .to-come {
    height: 0;
    overflow: hidden;
    visibility: hidden;
  }

  li a {
    color: inherit;
    text-underline-offset: 0.2em;
  }
`;
