/** Styles that all figures wear. */
import { css } from "lit";
import { quiet } from "../../../controls/shared-styles.js";
import { stillStyles } from "./still-picture.js";

/** Figures stay in their column, unless the page says how far they may reach out of it. */
export const figureStyles = [
  quiet,
  stillStyles,
  css`
    :host {
      position: relative;
      clear: both;
      margin-block: 2.2rem 2.8rem;
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

    .query {
      color: var(--wf-query);
    }

    .key {
      color: var(--wf-key);
    }

    @media (min-width: 50rem), print {
      :host {
        width: var(--wf-reach, auto);
        margin-inline-start: calc((100% - var(--wf-reach, 100%)) / 2);
      }
    }
  `,
];

/** Figures that are read like a sentence stay inside the column. */
export const insideStyles = [
  ...figureStyles,
  css`
    @media (min-width: 50rem) {
      :host {
        width: auto;
        margin-inline-start: 0;
      }
    }
  `,
];
