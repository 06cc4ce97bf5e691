/** Styles of the cards in their rows. */
import { css } from "lit";

export const galleryStyles = css`
  wf-text-line {
    max-width: 44rem;
    margin-bottom: 1.6rem;
  }

  .values {
    display: block;
    margin-bottom: 1.2rem;
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

  /* Cards are drawn one after the other: about as high as they will be. */
  wf-scheme-card:not([drawn]) {
    display: block;
    min-height: 378px;
  }

  wf-scheme-card:not([drawn]):lang(zh) {
    min-height: 348px;
  }

  /* That of a page as it opens; any other is opened by the reader. */
  :host(:not([filled])) wf-scheme-portrait {
    display: block;
    min-height: 1570px;
  }

  @media (max-width: 36rem) {
    wf-scheme-card:not([drawn]) {
      min-height: 248px;
    }

    wf-scheme-card:not([drawn]):lang(zh) {
      min-height: 212px;
    }

    :host(:not([filled])) wf-scheme-portrait {
      min-height: 2261px;
    }

    :host(:not([filled])) wf-scheme-portrait:lang(zh) {
      min-height: 2200px;
    }
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
