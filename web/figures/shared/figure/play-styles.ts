/** A button that starts something, in a row with what it moves. */
import { css } from "lit";

export const playStyles = css`
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 1.2rem;
    min-height: 44px;
  }

  .row wf-slider {
    flex: 0 1 auto;
  }

  .play {
    min-height: 36px;
    padding: 0 0.9em;
    border: 1px solid var(--wf-soft);
    border-radius: 4px;
  }

  .play:hover {
    border-color: var(--wf-ink);
  }

  @media (pointer: coarse) {
    .play {
      min-height: 44px;
    }
  }
`;
