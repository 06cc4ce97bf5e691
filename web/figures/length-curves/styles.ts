/** Styles of the cover over the curves, and of the parts below them. */
import { css } from "lit";

export const curvesStyles = css`
  .below > * + * {
    margin-top: 0.6rem;
  }

  .show,
  .reproduce,
  summary {
    min-height: 44px;
    cursor: pointer;
  }

  .show {
    padding-inline: 1.1em;
    border: 1px solid var(--wf-ink);
    font-weight: 600;
  }

  .reproduce {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.25em;
  }

  summary {
    display: list-item;
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
