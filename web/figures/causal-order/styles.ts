/** Styles of the button under the sentence. */
import { css } from "lit";

export const orderStyles = css`
  button.weights {
    justify-self: start;
    min-height: 44px;
    text-decoration: underline;
    text-decoration-color: var(--wf-soft);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.35em;
  }
`;
