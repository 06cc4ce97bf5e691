/** Styles of the line in which a score is chosen. */
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
