/** Styles of the cover over the curves, and of the parts below them. */
import { css } from "lit";

export const curvesStyles = css`
  .below > * + * {
    margin-top: 0.6rem;
  }

  .show {
    min-height: 44px;
    padding-inline: 1.1em;
    border-color: var(--wf-ink);
    font-weight: 600;
  }

  summary {
    display: list-item;
    min-height: 44px;
    cursor: pointer;
    padding-block: 0.75em;
  }

  .hidden {
    padding-block: 1.1rem;
    border-block: 1px solid var(--wf-hair);
  }

  .hidden p {
    margin: 0 0 0.8rem;
    max-width: 44rem;
  }
`;
