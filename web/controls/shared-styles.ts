/** Styles of every control and figure. */
import { css } from "lit";

export const quiet = css`
  :host {
    display: block;
    font: calc(14 * var(--wf-px, 1px)) / 1.5 var(--wf-sans);
    font-variant-numeric: lining-nums tabular-nums;
    color: var(--wf-ink);
    text-wrap: pretty;
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 0;
    margin: 0;
    padding: 0;
  }

  /* A button has a border; links are underlined, options stand on a ground of their own. */
  button {
    min-height: 36px;
    padding: 0 0.9em;
    border: 1px solid var(--wf-soft);
    border-radius: 4px;
    cursor: pointer;
  }

  button:hover {
    border-color: var(--wf-ink);
  }

  @media (pointer: coarse) {
    button {
      min-height: 44px;
    }
  }

  /* They must not push lines apart. */
  sub,
  sup {
    font-size: 0.75em;
    line-height: 0;
  }

  :focus-visible {
    outline: 2px solid var(--wf-ink);
    outline-offset: 2px;
  }

  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

/** Hides controls on paper. */
export const unprinted = css`
  @media print {
    :host {
      display: none;
    }
  }
`;

/** Limits a canvas that was drawn for a screen to the width of the paper. */
export const onPaper = css`
  @media print {
    canvas {
      max-width: 100%;
      height: auto !important;
    }

    .cell,
    .under {
      display: none;
    }
  }
`;

/**
 * A group of words to choose from, with its name before them, or above them if they need more than
 * one line: a second line would otherwise begin under the name.
 */
export const wordsInRow = css`
  fieldset,
  .words {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.8em;
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
`;

export const progressBar = css`
  progress {
    appearance: none;
    width: 12rem;
    height: 6px;
    border: 0;
    background: var(--wf-hair);
  }

  progress::-webkit-progress-bar {
    background: var(--wf-hair);
  }

  progress::-webkit-progress-value {
    background: var(--wf-ink);
  }

  progress::-moz-progress-bar {
    background: var(--wf-ink);
  }
`;
