/** Styles of the table of numbers under a chart. */
import { css } from "lit";

export const numberTable = css`
  .numbers {
    overflow-x: auto;
  }

  table {
    border-collapse: collapse;
    font-size: calc(13 * var(--wf-px, 1px));
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
    word-break: keep-all;
  }

  th a {
    color: inherit;
    text-decoration-color: var(--wf-soft);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
  }

  small,
  .none {
    color: var(--wf-soft);
    font-size: calc(12 * var(--wf-px, 1px));
  }

  @media (max-width: 30rem) {
    /* The table may be wider than the screen; what is said above it stays clear of the fade. */
    caption {
      max-inline-size: calc(100vw - 3.8rem);
    }

    th,
    td {
      padding-inline-end: 0.7rem;
      white-space: normal;
    }

    /* What goes on beyond the edge fades there; the last column can be brought clear of it. */
    .numbers {
      mask-image: linear-gradient(to right, #000 calc(100% - 1.6rem), transparent);
    }

    :is(th, td):last-child {
      padding-inline-end: 1.8rem;
    }

    td small {
      display: block;
    }
  }
`;
