/** Styles of all figures. */
import { css } from "lit";
import { quiet } from "../../../controls/shared-styles.js";
import { stillStyles } from "./still-picture.js";

/** Styles of a figure with only picture, scales and caption. */
export const compactStyles = css`
  :host([compact]) {
    margin-block: 1rem;
  }

  /* What a reader chooses by stands beside the picture in some. */
  :host([compact]) :is(wf-choice, wf-slider, wf-several, wf-text-line, .heads, .heads-name) {
    display: none;
  }
`;

/** Figures are as wide as their column, unless the page lets them be wider. */
export const figureStyles = [
  quiet,
  stillStyles,
  css`
    :host {
      position: relative;
      clear: both;
      margin-block: 2rem;
    }

    /* What stands around it, where no style says so. */
    :host([ground="dark"]) {
      color-scheme: dark;
    }

    /* What it was given itself counts more than what a page says of its tag. */
    :host([theme="light"]) {
      color-scheme: light !important;
      background: var(--wf-paper);
    }

    :host([theme="dark"]) {
      color-scheme: dark !important;
      background: var(--wf-paper);
    }

    .given-title {
      margin: 0 0 0.9rem;
      font: 600 calc(17 * var(--wf-px, 1px)) / 1.4 var(--wf-sans);
      text-wrap: balance;
    }

    .query {
      color: var(--wf-query);
    }

    .key {
      color: var(--wf-key);
    }

    @media (min-width: 50rem), print {
      :host {
        width: var(--wf-reach, auto);
      }
    }
  `,
  compactStyles,
];
