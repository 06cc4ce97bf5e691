/** Styles that every control and figure wears. */
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

  button {
    cursor: pointer;
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

/** What only a hand can use is not printed. */
export const unprinted = css`
  @media print {
    :host {
      display: none;
    }
  }
`;

/** A canvas that was drawn for a screen, on paper: no wider than that. */
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
 * A group of words to choose from, its name before them; above them where they need more than that
 * line, so that none of a second line stands under the name as if it were another.
 */
export const wordsInRow = css`
  fieldset,
  .words {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 1.1em;
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
