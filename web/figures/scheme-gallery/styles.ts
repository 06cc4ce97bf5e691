/** Styles of the cards in their rows. */
import { css } from "lit";

export const galleryStyles = css`
  wf-text-line {
    max-width: 44rem;
    margin-bottom: 1.6rem;
  }

  .cards {
    display: grid;
    gap: 0 1.8rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .across-2 {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  .across-3 {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }

  .across-4 {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }

  wf-scheme-portrait {
    scroll-margin-top: 4rem;
  }

  li.open {
    grid-column: 1 / -1;
    border-block: 1px solid var(--wf-hair);
    margin-bottom: 1.6rem;
  }

  .blank {
    min-height: 60rem;
    color: var(--wf-soft);
  }
`;
