/** Styles of the options of a scheme. */
import { css } from "lit";
import { quiet } from "../../controls/shared-styles.js";

export const formStyles = [
  quiet,
  css`
    .options {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
      gap: 1.1rem 2.4rem;
    }

    fieldset {
      min-width: 0;
      margin: 1.2rem 0 0;
      padding: 0.2rem 0 0 1rem;
      border: 0;
      border-inline-start: 1px solid var(--wf-hair);
    }

    fieldset legend {
      padding: 0;
      font: calc(13 * var(--wf-px, 1px)) / 1.6 var(--wf-mono);
    }

    .line {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 0.9em;
      min-height: 36px;
    }

    .key {
      font: calc(13 * var(--wf-px, 1px)) / 1.6 var(--wf-mono);
    }

    .named .key {
      margin-inline-start: 0.4em;
      color: var(--wf-soft);
    }

    .help {
      margin: 0;
      color: var(--wf-soft);
      font-size: calc(13 * var(--wf-px, 1px));
      line-height: 1.5;
      text-wrap: pretty;
    }

    :host(:lang(zh)) .help {
      line-height: 1.7;
    }

    .help code {
      font: 0.92em var(--wf-mono);
    }

    /* Slider and number stand in one line, with their name or below it. */
    .value {
      display: flex;
      flex: 1 1 12.1em;
      align-items: center;
      gap: 0.9em;
    }

    input[type="range"] {
      flex: 1 1 5em;
      min-width: 5em;
      height: 30px;
      accent-color: var(--wf-ink);
      cursor: pointer;
    }

    input[type="text"] {
      flex: 1 1 7em;
      min-width: 5em;
      padding: 0.25em 0;
      border-bottom: 1px solid var(--wf-soft);
    }

    input[type="number"] {
      width: 6.2em;
      padding: 0.25em 0;
      border-bottom: 1px solid var(--wf-soft);
      text-align: end;
      appearance: textfield;
    }

    input[type="checkbox"] {
      width: 20px;
      height: 20px;
      accent-color: var(--wf-ink);
      cursor: pointer;
    }

    label.line {
      cursor: pointer;
    }

    select {
      max-width: 100%;
      padding: 0.4em 0.1em;
      border-bottom: 1px solid var(--wf-soft);
      cursor: pointer;
    }

    select option {
      background: var(--wf-paper);
      color: var(--wf-ink);
    }

    summary {
      min-height: 36px;
      padding-block: 0.4em;
      cursor: pointer;
    }

    summary,
    button.defaults {
      margin-top: 0.6rem;
    }

    @media (pointer: coarse) {
      .line,
      summary {
        min-height: 44px;
      }
    }
  `,
];
