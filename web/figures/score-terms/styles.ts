/** Styles of the line for choosing a logit. */
import { css } from "lit";

export const termsStyles = css`
  .sentence {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.7em;
    color: var(--wf-soft);
  }

  .pair {
    display: inline-flex;
    align-items: baseline;
    gap: 0.7em;
    min-width: 0;
  }

  .kept {
    visibility: hidden;
  }
`;
