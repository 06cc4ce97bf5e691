/** Styles of the button for the next step. */
import { css } from "lit";

export const rotationStyles = css`
  button.next {
    min-height: 44px;
    text-align: start;
    text-decoration: underline;
    text-decoration-color: var(--wf-soft);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.35em;
  }
`;
