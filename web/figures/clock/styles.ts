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

  /* Samples of the marks on the rings. */
  [slot="legend"]::before {
    content: "";
    display: inline-block;
    width: 0.6em;
    height: 0.6em;
    margin-inline-end: 0.5em;
    border: 2px solid;
    border-radius: 50%;
  }

  .query::before {
    background: currentColor;
  }

  .way::before {
    width: 1.4em;
    height: 0;
    margin-bottom: 0.25em;
    border-width: 0 0 3px;
    border-radius: 0;
  }
`;
