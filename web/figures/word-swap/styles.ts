/** Styles of the map whose words can be dragged; web/loading/still-swap.css has the still one's. */
import { css, unsafeCSS } from "lit";

const shades = Array.from(
  { length: 11 },
  (_, shade) =>
    `.s${shade}{background:color-mix(in srgb,var(--wf-weight-2) ${shade * 10}%,var(--wf-paper))}`,
).join("");

export const swapStyles = css`
  :host {
    --cell: min(calc(64 * var(--wf-px, 1px)), 20vw);
    --label: min(calc(80 * var(--wf-px, 1px)), 26vw);
    --head: calc(26 * var(--wf-px, 1px));
    margin-block: 0.4rem 1.6rem;
  }

  figure {
    margin: 0;
  }

  .words {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
    margin-bottom: 0.4rem;
    min-height: calc(48 * var(--wf-px, 1px));
    align-items: center;
    font: calc(24 * var(--wf-px, 1px)) / 1.4 var(--wf-serif);
  }

  button {
    min-height: 44px;
    min-width: 44px;
    border-bottom: 2px dotted var(--wf-position);
    cursor: grab;
    touch-action: pan-y;
    user-select: none;
  }

  button.held {
    color: var(--wf-position);
    cursor: grabbing;
  }

  button:focus-visible {
    outline: 2px solid var(--wf-ink);
    outline-offset: 2px;
  }

  .map {
    position: relative;
    width: calc(var(--label) + 3 * var(--cell));
    height: calc(var(--head) + 3 * var(--cell));
  }

  .map > * {
    --x: calc(var(--label) + var(--column) * var(--cell));
    --y: calc(var(--head) + var(--row) * var(--cell));
    position: absolute;
    width: calc(var(--cell) - 1px);
    height: calc(var(--cell) - 1px);
    line-height: calc(var(--cell) - 1px);
    text-align: center;
    transform: translate(var(--x), var(--y));
  }

  .map > .key {
    height: var(--head);
    line-height: var(--head);
    --y: 0px;
  }

  .map > .query {
    width: calc(var(--label) - 10px);
    text-align: end;
    --x: 0px;
  }

  .query {
    color: var(--wf-query);
  }

  .key {
    color: var(--wf-key);
  }

  p {
    margin: 0.5rem 0 0;
    color: var(--wf-soft);
  }

  .said {
    min-height: 3em;
    margin-top: 0.1rem;
    color: var(--wf-ink);
  }

  /* Its place is kept until there is something to take. */
  .take {
    margin-top: 0.4rem;
    min-height: 36px;
  }

  @media (pointer: coarse) {
    .take {
      min-height: 44px;
    }
  }

  @media (prefers-reduced-motion: no-preference) {
    .map > * {
      transition: transform 0.25s;
    }
  }

  ${unsafeCSS(shades)}
`;
