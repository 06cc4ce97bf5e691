/** Styles of the open scheme of the gallery. */
import { css } from "lit";
import { quiet } from "../../controls/shared-styles.js";
import { compactStyles } from "../shared/figure/figure-styles.js";
import { familyStyles } from "../shared/pictures/family-styles.js";

export const portraitStyles = [
  quiet,
  compactStyles,
  familyStyles,
  css`
    /* The column, which may be narrow on a wide page, says what stands side by side. */
    :host {
      container-type: inline-size;
      padding-block: 1.2rem 1.6rem;
    }

    .below-card::part(heading) {
      display: none;
    }

    .about {
      display: grid;
      gap: 0.4rem 2.6rem;
      max-width: none !important;
    }

    @container (min-width: 40rem) {
      .about {
        grid-template-columns: 5fr 6fr;
        grid-template-rows: auto 1fr;
      }

      .facts {
        grid-row: 1 / span 2;
        grid-column: 2;
      }
    }

    .text,
    .facts,
    .costs {
      min-width: 0;
    }

    .summary {
      margin: 0;
      font: calc(18 * var(--wf-px, 1px)) / 1.5 var(--wf-serif);
      font-variant-numeric: lining-nums;
      text-wrap: pretty;
    }

    :host(:lang(zh)) .summary {
      font-size: calc(17 * var(--wf-px, 1px));
      line-height: 1.8;
    }

    .symbols {
      margin: 0.7rem 0 0;
      color: var(--wf-soft);
      font-size: calc(13 * var(--wf-px, 1px));
      line-height: 1.55;
      text-wrap: pretty;
    }

    :host(:lang(zh)) .symbols {
      line-height: 1.75;
    }

    .formula {
      overflow-x: auto;
      padding: 0.1rem 0 0.5rem;
      font-size: calc(17 * var(--wf-px, 1px));
      line-height: 1.5;
    }

    .formula > div {
      padding-block: 0.3rem;
    }

    math {
      display: inline math;
      font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Noto Sans Math", math;
    }

    .tml-med-pad {
      padding-inline: 0.1em;
    }

    mtd {
      padding: 0.1em 0.4em;
    }

    .claims {
      display: flex;
      flex-wrap: wrap;
      gap: 0.1rem 1.1rem;
      margin: 0.3rem 0 0;
      padding: 0;
      list-style: none;
      font-size: calc(13 * var(--wf-px, 1px));
    }

    .claims .not {
      color: var(--wf-soft);
    }

    .cost {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.15rem 1.1rem;
      margin: 0.6rem 0 0;
      padding-top: 0.5rem;
      border-top: 1px solid var(--wf-hair);
      font-size: calc(13 * var(--wf-px, 1px));
      line-height: 1.5;
      font-variant-numeric: tabular-nums;
    }

    .cost > div {
      display: contents;
    }

    dt,
    .sizes {
      color: var(--wf-soft);
    }

    dd {
      margin: 0;
    }

    .sizes {
      margin: 0.15rem 0 0;
      font-size: calc(12 * var(--wf-px, 1px));
    }

    .paper {
      margin: 0.3rem 0 0;
      color: var(--wf-soft);
      font-size: calc(13 * var(--wf-px, 1px));
    }

    a {
      color: inherit;
      text-decoration-color: var(--wf-soft);
      text-decoration-thickness: 1px;
      text-underline-offset: 0.2em;
    }

    code {
      font: 0.92em var(--wf-mono);
    }
  `,
];
