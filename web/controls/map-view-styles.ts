/** Styles of a zoomed map. */
import { css } from "lit";

export const mapViewStyles = css`
  :host {
    position: relative;
    min-width: 0;
  }

  .place {
    position: relative;
    overflow: hidden;
  }

  canvas {
    display: block;
    max-width: none;
    touch-action: pan-x pan-y;
  }

  .zoomed canvas {
    touch-action: none;
    cursor: grab;
  }

  .zoomed canvas:active {
    cursor: grabbing;
  }

  .cell {
    position: absolute;
    overflow: hidden;
    color: transparent;
    font-size: calc(1 * var(--wf-px, 1px));
    pointer-events: none;
    user-select: none;
  }

  .under {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0.4rem 1.1rem;
    margin-top: 0.6rem;
  }

  .zoom {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.3rem;
  }

  .zoom button {
    min-width: 36px;
    min-height: 30px;
    padding: 0 0.7em;
    border-color: var(--wf-hair);
    color: var(--wf-soft);
  }

  .zoom button:hover:not(:disabled) {
    border-color: var(--wf-soft);
    color: var(--wf-ink);
  }

  .zoom button:disabled {
    opacity: 0.6;
    cursor: default;
  }

  .stands {
    flex: 1 1 12em;
    margin: 0.5em 0 0;
    color: var(--wf-soft);
    font-size: calc(13 * var(--wf-px, 1px));
  }

  @media (pointer: coarse) {
    .zoom button {
      min-width: 44px;
      min-height: 44px;
    }
  }
`;
