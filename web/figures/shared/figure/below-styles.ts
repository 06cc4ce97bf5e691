/** Styles of the folded parts under a figure: options for experts, tables of numbers. */
import { css } from "lit";

export const belowStyles = css`
  .below {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.4rem;
  }

  summary {
    display: list-item;
    min-height: 44px;
    padding-block: 0.75em;
    cursor: pointer;
  }

  .hint {
    margin: 0;
    color: var(--wf-soft);
    font-size: calc(13 * var(--wf-px, 1px));
  }

  .acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.2rem 1rem;
    min-height: 44px;
    color: var(--wf-soft);
  }

  /* The count beside the bar takes the same lines, however many digits it has. */
  .acts > span {
    flex: 0 1 15rem;
  }

  @media (max-width: 30rem) {
    .acts {
      align-content: start;
      min-height: 5.8rem;
    }
  }

  @media print {
    .acts,
    details:not([open]) {
      display: none;
    }
  }

  .acts button {
    color: var(--wf-ink);
  }
`;
