/** Styles of the sentence with the reason. */
import { css } from "lit";

export const probeStyles = css`
  .why {
    max-width: 44rem;
    margin: 0.4rem 0 1.2rem;
    font: calc(17 * var(--wf-px, 1px)) / 1.55 var(--wf-serif);
    text-wrap: pretty;
  }

  :host(:lang(zh)) .why {
    line-height: 1.8;
  }
`;
