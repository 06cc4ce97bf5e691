/** Styles of the lab: maps side by side if there is space, else one below the other. */
import { css } from "lit";

export const labStyles = css`
  .maps {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
    gap: 1.4rem 1.6rem;
    align-items: start;
  }

  h4 {
    margin: 0 0 0.4rem;
    font: 600 calc(14 * var(--wf-px, 1px)) / 1.4 var(--wf-sans);
  }

  /* About as high as the row of readers, whom the models' folder or the engine names. */
  .to-come {
    min-height: 129px;
  }

  @media (max-width: 36rem) {
    .to-come {
      min-height: 290px;
    }

    .to-come:lang(zh) {
      min-height: 225px;
    }
  }

  .refused,
  .hint {
    margin: 0;
    color: var(--wf-soft);
  }

  .refused a,
  .hint a {
    color: var(--wf-ink);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.25em;
  }

  .busy {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 1rem;
    min-height: 44px;
    margin: 0 0 0.4rem;
    color: var(--wf-soft);
    font-size: calc(14 * var(--wf-px, 1px));
  }

  @media print {
    .busy {
      display: none;
    }
  }

  .busy button {
    color: var(--wf-ink);
  }
`;
