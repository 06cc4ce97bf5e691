/** Styles of the figure's editor. */
import { css } from "lit";

export const formulaStyles = css`
  .fields,
  .sliders {
    display: grid;
    gap: 0.9rem;
  }

  .sliders {
    gap: 0;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  }

  .sliders wf-slider {
    font-variant-ligatures: none;
  }

  dl {
    display: grid;
    grid-template-columns: minmax(0, auto) minmax(0, 1fr);
    gap: 0.35rem 1.2rem;
    margin: 0 0 0.8rem;
    font-size: calc(13 * var(--wf-px, 1px));
  }

  dt {
    font-family: var(--wf-mono);
    max-width: 22rem;
  }

  dd {
    margin: 0;
    color: var(--wf-soft);
  }

  @media (max-width: 34rem) {
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }

    dd {
      margin-bottom: 0.5rem;
    }
  }
`;
