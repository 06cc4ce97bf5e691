/** The text whose words are shaded by one row of the map. */
import { css } from "lit";

export const writingStyles = css`
  .text {
    margin: 0 0 1rem;
    max-width: 40em;
    line-height: 1.9;
    white-space: pre-wrap;
  }

  .token {
    padding: 0.15em 0;
    border-radius: 2px;
  }

  /* At most half of the colour, on which the text can be read. */
  [data-tenths="1"] {
    background: color-mix(in srgb, var(--wf-weight-4) 5%, transparent);
  }

  [data-tenths="2"] {
    background: color-mix(in srgb, var(--wf-weight-4) 10%, transparent);
  }

  [data-tenths="3"] {
    background: color-mix(in srgb, var(--wf-weight-4) 15%, transparent);
  }

  [data-tenths="4"] {
    background: color-mix(in srgb, var(--wf-weight-4) 20%, transparent);
  }

  [data-tenths="5"] {
    background: color-mix(in srgb, var(--wf-weight-4) 25%, transparent);
  }

  [data-tenths="6"] {
    background: color-mix(in srgb, var(--wf-weight-4) 30%, transparent);
  }

  [data-tenths="7"] {
    background: color-mix(in srgb, var(--wf-weight-4) 35%, transparent);
  }

  [data-tenths="8"] {
    background: color-mix(in srgb, var(--wf-weight-4) 40%, transparent);
  }

  [data-tenths="9"] {
    background: color-mix(in srgb, var(--wf-weight-4) 45%, transparent);
  }

  [data-tenths="10"] {
    background: color-mix(in srgb, var(--wf-weight-4) 50%, transparent);
  }

  .written {
    cursor: pointer;
    border-bottom: 1px solid var(--wf-hair);
  }

  .written[aria-current="true"] {
    outline: 2px solid var(--wf-ink);
  }
`;
