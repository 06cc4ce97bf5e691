/** Styles of the clock: its handles lie over the picture, at the ends of the chosen hands. */
import { css } from "lit";

export const clockStyles = css`
  .clock {
    position: relative;
  }

  .handle {
    position: absolute;
    width: 44px;
    height: 44px;
    margin: -22px 0 0 -22px;
    border-radius: 50%;
    cursor: grab;
    touch-action: none;
  }

  .handle:active {
    cursor: grabbing;
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

  /* Samples of the hands, and of the angle between them. */
  [slot="legend"]::before {
    content: "";
    display: inline-block;
    width: 1.6em;
    margin-inline-end: 0.5em;
    margin-bottom: 0.25em;
    border-bottom: 3px solid;
  }

  .key[slot="legend"]::before {
    border-bottom-style: dashed;
  }

  .way[slot="legend"]::before {
    height: 0.8em;
    margin-bottom: -0.1em;
    border: 0;
    background: color-mix(in srgb, currentColor 28%, transparent);
  }
`;
