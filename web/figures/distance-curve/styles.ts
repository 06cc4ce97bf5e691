/** Styles of the head's scores under the charts. */
import { css } from "lit";

export const scoreStyles = css`
  /* The column, which may be narrow on a wide page, says how many stand side by side. */
  .scores {
    container-type: inline-size;
    margin-top: 1.4rem;
  }

  .scores h4 {
    margin: 0 0 0.3rem;
    font: 600 calc(14 * var(--wf-px, 1px)) / 1.5 var(--wf-sans);
    text-wrap: balance;
  }

  .score {
    display: grid;
    gap: 0.3rem 26px;
    padding: 0.7rem 0;
    border-top: 1px solid var(--wf-hair);
  }

  .score p {
    margin: 0;
    color: var(--wf-soft);
    font-size: calc(13 * var(--wf-px, 1px));
    text-wrap: pretty;
  }

  .score strong {
    display: block;
    color: var(--wf-ink);
    font-size: calc(14 * var(--wf-px, 1px));
    font-weight: 600;
  }

  .models {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.5rem 26px;
  }

  .model,
  .value {
    display: block;
  }

  .model,
  .even {
    color: var(--wf-soft);
    font-size: calc(12 * var(--wf-px, 1px));
  }

  .jump {
    min-height: 28px;
    padding: 0 0.6em;
    border-color: var(--wf-hair);
    color: var(--wf-soft);
    font-size: calc(13 * var(--wf-px, 1px));
    text-align: start;
    text-wrap: wrap;
  }

  .jump:hover {
    border-color: var(--wf-soft);
    color: var(--wf-ink);
  }

  .is-best {
    font-size: calc(13 * var(--wf-px, 1px));
  }

  @media (pointer: coarse) {
    .jump {
      min-height: 44px;
    }
  }

  @container (min-width: 40rem) {
    .score {
      grid-template-columns: 15rem 1fr;
    }

    .models {
      grid-template-columns: none;
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
    }
  }
`;
