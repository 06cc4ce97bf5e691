/** Styles of the parts under the bars. */
import { css } from "lit";

export const costsStyles = css`
  :host {
    --wf-names-width: 9em;
  }

  .below {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
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

  .acts button {
    color: var(--wf-ink);
  }

  .kept {
    visibility: hidden;
  }

  .picture.stale {
    opacity: 0.45;
  }

  th,
  td {
    text-align: end;
  }

  th:first-child {
    text-align: start;
  }

  thead th {
    vertical-align: bottom;
  }

  @media (max-width: 30rem) {
    td,
    tbody th {
      white-space: nowrap;
    }

    thead th {
      max-width: 6.5em;
    }
  }
`;
