/** Styles of the table of numbers under a chart. */
import { css } from "lit";

export const numberTable = css`
  .numbers {
    overflow-x: auto;
  }

  table {
    border-collapse: collapse;
    font-size: 13px;
  }

  caption {
    padding-bottom: 0.3rem;
    color: var(--wf-soft);
    text-align: start;
  }

  th,
  td {
    padding: 0.25rem 1.1rem 0.25rem 0;
    border-bottom: 1px solid var(--wf-hair);
    font-weight: 400;
    text-align: start;
    white-space: nowrap;
  }

  thead th {
    color: var(--wf-soft);
  }

  small,
  .none {
    color: var(--wf-soft);
    font-size: 12px;
  }

  @media (max-width: 30rem) {
    /* The table may be wider than the screen; what is said above it stays in view. */
    caption {
      max-inline-size: calc(100vw - 2.5rem);
    }

    th,
    td {
      padding-inline-end: 0.7rem;
      white-space: normal;
    }

    td small {
      display: block;
    }
  }
`;
