/** Styles of the clock: its handles lie over the picture, at the ends of the chosen hands. */
import { css } from "lit";

export const clockStyles = css`
  .clock {
    position: relative;
    container-type: inline-size;
  }

  /* The face as in face.ts: --x and --y are the end of the hand, as shares of the radius. */
  .handle {
    --radius: min(200px, 50cqw - 34px);
    --centre: 50cqw;
    position: absolute;
    left: calc(var(--centre) + var(--x, 0) * var(--radius) - 22px);
    top: calc(34px + (1 + var(--y, 0)) * var(--radius) - 22px);
    width: 44px;
    height: 44px;
    border-radius: 50%;
    cursor: grab;
    touch-action: none;
  }

  .handle:active {
    cursor: grabbing;
  }

  @container (min-width: 760px) {
    .handle {
      --centre: 234px;
    }
  }

  @media print {
    .handle {
      display: none;
    }
  }

  wf-scene {
    cursor: pointer;
  }

  .way {
    color: var(--wf-position);
  }
`;
