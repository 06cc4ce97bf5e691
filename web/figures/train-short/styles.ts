/**
 * Styles of the figure that trains: rings over its chart, the table of its numbers, its buttons.
 */
import { css } from "lit";

export const trainStyles = css`
  .chart {
    position: relative;
  }

  /* A ring moves up and down a track over one column of the chart; only the ring is touched. */
  .ring {
    position: absolute;
    width: 44px;
    writing-mode: vertical-lr;
    direction: rtl;
    appearance: none;
    background: none;
    pointer-events: none;
  }

  .ring::-webkit-slider-runnable-track {
    background: none;
  }

  .ring::-moz-range-track {
    background: none;
  }

  /* Browsers skip a rule with a selector that they do not know, so each has its own rule. */
  .ring::-webkit-slider-thumb {
    appearance: none;
    width: 28px;
    height: 28px;
    border: 2px solid var(--wf-ink);
    border-radius: 50%;
    background: color-mix(in srgb, var(--wf-paper) 60%, transparent);
    pointer-events: auto;
    cursor: ns-resize;
  }

  .ring::-moz-range-thumb {
    box-sizing: border-box;
    width: 28px;
    height: 28px;
    border: 2px solid var(--wf-ink);
    border-radius: 50%;
    background: color-mix(in srgb, var(--wf-paper) 60%, transparent);
    pointer-events: auto;
    cursor: ns-resize;
  }

  /* Above the first ring, with arrows above and below it. */
  .drag {
    position: absolute;
    margin-top: -23px;
    padding-left: 9px;
    transform: translateY(-50%);
    color: var(--wf-ink);
    font: calc(13 * var(--wf-px, 1px)) / 1.4 var(--wf-sans);
    pointer-events: none;
  }

  .drag::before,
  .drag::after {
    content: "";
    position: absolute;
    top: calc(50% - 9px);
    left: -5px;
    border: 5px solid transparent;
    border-bottom: 7px solid;
  }

  .drag::after {
    top: calc(50% + 40px);
    border-top: 7px solid;
    border-bottom: 5px solid transparent;
  }

  .below > * + * {
    margin-top: 0.6rem;
  }

  .guess {
    margin-bottom: 0;
    color: var(--wf-soft);
  }

  p.formula {
    margin-bottom: 0;
    color: var(--wf-soft);
  }

  p.formula a {
    color: inherit;
  }

  .below > pre.formula {
    margin: 0.2rem 0 0;
    overflow-x: auto;
    font: calc(13 * var(--wf-px, 1px)) / 1.5 var(--wf-mono);
    font-variant-ligatures: none;
  }

  .acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 1.4rem;
  }

  .show,
  .train,
  .resume {
    min-height: 44px;
    padding-inline: 1.1em;
    border-color: var(--wf-ink);
    font-weight: 600;
  }

  /* The label of a hidden field, which looks as the buttons beside it. */
  .load {
    display: inline-flex;
    align-items: center;
    min-height: 36px;
    padding: 0 0.9em;
    border: 1px solid var(--wf-hair);
    border-radius: 4px;
    color: var(--wf-soft);
    cursor: pointer;
  }

  .load:hover {
    border-color: var(--wf-soft);
  }

  .load input {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }

  .load:focus-within {
    outline: 2px solid var(--wf-ink);
    outline-offset: 2px;
  }

  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.2rem 1rem;
    color: var(--wf-soft);
  }

  .keep {
    min-height: 30px;
  }

  .refused {
    margin-bottom: 0;
  }

  @media (pointer: coarse) {
    .keep,
    .load {
      min-height: 44px;
    }
  }
`;
