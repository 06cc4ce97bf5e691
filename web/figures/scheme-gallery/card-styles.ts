/** Styles of a scheme's card. */
import { css } from "lit";
import { thumbHeight } from "./block.js";

export const cardStyles = css`
  :host {
    position: relative;
    padding: 0.8rem 0 1.3rem;
    border-top: 1px solid var(--wf-hair);
  }

  :host([open]) {
    padding-top: calc(0.8rem - 1px);
    border-top: 2px solid var(--wf-ink);
  }

  /* As high as the drawing, which comes a frame later. */
  .picture {
    min-height: ${thumbHeight + 2}px;
  }

  .family {
    margin: 0.55rem 0 0.1rem;
    color: var(--wf-soft);
    font-size: calc(12 * var(--wf-px, 1px));
  }

  h3 {
    margin: 0 0 0.6rem;
    font: 600 calc(15 * var(--wf-px, 1px)) / 1.35 var(--wf-sans);
    text-wrap: balance;
  }

  h3 button {
    min-height: 0;
    padding: 0;
    border: 0;
    font-weight: inherit;
    text-align: start;
  }

  /* The whole card opens, the name alone is the control. */
  h3 button::after {
    content: "";
    position: absolute;
    inset: 0;
  }

  h3 button:focus-visible {
    outline: none;
  }

  :host(:focus-within) {
    outline: 2px solid var(--wf-ink);
    outline-offset: 4px;
  }

  :host(:hover) h3 button,
  :host([open]) h3 button {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.25em;
  }

  .summary {
    margin: 0.7rem 0 0;
    color: var(--wf-ink);
    font: calc(14 * var(--wf-px, 1px)) / 1.45 var(--wf-serif);
    font-variant-numeric: lining-nums;
    text-wrap: pretty;
  }

  :host(:lang(zh)) .summary {
    font-size: calc(13.5 * var(--wf-px, 1px));
    line-height: 1.65;
  }

  .claims {
    margin: 0.45rem 0 0;
    color: var(--wf-soft);
    font-size: calc(12 * var(--wf-px, 1px));
    line-height: 1.5;
  }

  /* In one piece, unless that is longer than a line. */
  .claims span {
    display: inline-block;
  }

  .paper {
    margin: 0.3rem 0 0;
    font-size: calc(12 * var(--wf-px, 1px));
  }

  /* Over the rest of the card, which opens it. */
  .paper a {
    position: relative;
    z-index: 1;
    padding-block: 4px;
    color: var(--wf-soft);
  }

  .failure {
    margin: 0;
    min-height: 98px;
    color: var(--wf-soft);
    font-size: calc(12 * var(--wf-px, 1px));
    overflow-wrap: anywhere;
  }

  .failure p {
    margin: 0;
  }

  /* Over the rest of the card, which opens it. */
  .failure button {
    position: relative;
    z-index: 1;
    color: var(--wf-ink);
  }

  /* On a phone the picture stands beside the words. */
  :host([narrow]) {
    display: grid;
    grid-template-columns: 100px minmax(0, 1fr);
    gap: 0 1rem;
  }

  :host([narrow]) .picture {
    grid-row: 1 / span 5;
    overflow: hidden;
    padding-top: 0.2rem;
  }

  :host([narrow]) .family {
    margin-top: 0;
  }

  :host([narrow]) h3 {
    margin-bottom: 0.2rem;
  }

  :host([narrow]) .summary {
    margin-top: 0;
  }

  /* Said by what has opened below; on a phone it begins with what this does not say. */
  :host([open]:not([narrow])) :is(.summary, .claims, .paper) {
    display: none;
  }
`;
