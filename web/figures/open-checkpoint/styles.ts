/** Styles of the figure that opens the reader's own models. */
import { css } from "lit";

export const openStyles = css`
  h4 {
    margin: 1.4rem 0 0.3rem;
    font: 600 calc(14 * var(--wf-px, 1px)) / 1.4 var(--wf-sans);
  }

  .soft {
    margin: 0.3rem 0;
    max-width: 44rem;
    color: var(--wf-soft);
    font-size: calc(13 * var(--wf-px, 1px));
  }

  .sheet {
    max-height: 34rem;
    overflow: auto;
    margin-bottom: 1.2rem;
  }

  /* Side by side where the column, which may be narrow on a wide page, has room for both. */
  .one {
    display: flex;
    flex-wrap: wrap;
    gap: 1.2rem 2.4rem;
  }

  .one > * {
    flex: 2 1 18rem;
    min-width: 0;
  }

  .one > .map {
    flex: 3 1 26rem;
  }

  .tokens {
    margin: 0;
    max-width: 44rem;
    font: calc(16 * var(--wf-px, 1px)) / 1.9 var(--wf-serif);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .tokens span {
    padding-block: 0.15em;
    border-inline-end: 1px solid var(--wf-paper);
  }

  [data-loss="1"] {
    background: color-mix(in oklab, var(--wf-key) 7%, transparent);
  }

  [data-loss="2"] {
    background: color-mix(in oklab, var(--wf-key) 13%, transparent);
  }

  [data-loss="3"] {
    background: color-mix(in oklab, var(--wf-key) 19%, transparent);
  }

  [data-loss="4"] {
    background: color-mix(in oklab, var(--wf-key) 25%, transparent);
  }

  [data-loss="5"] {
    background: color-mix(in oklab, var(--wf-key) 31%, transparent);
  }

  [data-loss="6"] {
    background: color-mix(in oklab, var(--wf-key) 37%, transparent);
  }

  [data-loss="7"] {
    background: color-mix(in oklab, var(--wf-key) 43%, transparent);
  }

  .layers {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.6em;
    min-height: 44px;
    color: var(--wf-soft);
  }

  .cost {
    margin: 0.4rem 0;
    max-width: 44rem;
    font: calc(17 * var(--wf-px, 1px)) / 1.55 var(--wf-serif);
    font-variant-numeric: lining-nums;
  }

  [hidden] {
    display: none;
  }

  summary {
    min-height: 44px;
    padding-block: 0.75em;
    color: var(--wf-soft);
    cursor: pointer;
  }

  .measured wf-choice,
  .measured wf-scene {
    display: block;
    margin-bottom: 0.8rem;
  }

  wf-model-source {
    margin-bottom: 0.6rem;
  }
`;
