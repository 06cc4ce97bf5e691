/** Styles of the first figure; web/loading/still-swap.css has the still one's. */
import { css, unsafeCSS } from "lit";

/** Eleven shades of the scale of all maps, and black or paper for numbers on the darker ones. */
const shades = Array.from({ length: 11 }, (_, shade) => {
  const [below, above] = [Math.floor(shade / 2), Math.ceil(shade / 2)];
  const ink = shade < 5 ? "" : `;color:${shade === 5 ? "#000" : "var(--wf-paper)"}`;
  const mixed = `color-mix(in srgb,var(--wf-weight-${below}),var(--wf-weight-${above}))`;
  return `.s${shade}{background:${mixed}${ink}}`;
}).join("");

export const swapStyles = css`
  :host {
    --unit: var(--wf-px, 1px);
    margin-block: 0.4rem 1.6rem;
  }

  figure {
    margin: 0;
    container-type: inline-size;
  }

  .stage,
  .map {
    position: relative;
    max-width: calc(646 * var(--unit));
    height: calc(388 * var(--unit));
  }

  :is(.stage, .map)[hidden] {
    display: none;
  }

  .sentence {
    position: relative;
    height: calc(138 * var(--unit));
  }

  .sentence > svg {
    display: block;
    width: 100%;
    height: calc(58 * var(--unit));
    overflow: visible;
  }

  path {
    fill: none;
    stroke: var(--wf-soft);
    stroke-opacity: 0.13;
    vector-effect: non-scaling-stroke;
  }

  path.look {
    stroke: var(--wf-query);
    stroke-opacity: 0.75;
  }

  path.new {
    stroke: var(--wf-position);
  }

  .cell {
    position: absolute;
    /* Below the arcs, in both sentences and in the still picture. */
    top: calc(58 * var(--unit));
    left: 0;
    width: calc(100% / var(--size));
    text-align: center;
    transform: translateX(calc(var(--slot) * 100%));
  }

  .cell.held {
    z-index: 2;
    transform: translate(calc(var(--slot) * 100% + var(--dx, 0px)), var(--dy, 0px));
    transition: none;
  }

  .word {
    display: inline-block;
    min-width: 44px;
    min-height: calc(44 * var(--unit));
    font: calc(22 * var(--unit)) / calc(40 * var(--unit)) var(--wf-serif);
    vertical-align: top;
    white-space: nowrap;
  }

  button.word {
    min-height: 44px;
    padding: 0;
    border: 0;
    border-bottom: 2px dotted var(--wf-position);
    border-radius: 0;
    cursor: grab;
    touch-action: none;
    user-select: none;
  }

  .looks .word {
    color: var(--wf-query);
    font-weight: 600;
  }

  .held .word {
    cursor: grabbing;
    background: var(--wf-paper);
  }

  .share {
    display: block;
    font-size: calc(13 * var(--unit));
    line-height: calc(18 * var(--unit));
    color: var(--wf-query);
  }

  .held .share {
    visibility: hidden;
  }

  .new,
  sub {
    color: var(--wf-position);
  }

  .bags {
    display: flex;
    align-items: center;
    justify-content: space-between;
    height: calc(108 * var(--unit));
  }

  .bag {
    position: relative;
    width: 38%;
    max-width: calc(196 * var(--unit));
    aspect-ratio: 200 / 110;
  }

  .bag svg {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }

  .bag path {
    stroke: var(--wf-ink);
    stroke-opacity: 1;
    stroke-width: 1.5;
  }

  .bag span {
    position: absolute;
    font: calc(16 * var(--unit)) / 1.2 var(--wf-serif);
    left: 22%;
    top: 68%;
  }

  .bag span:nth-of-type(2) {
    left: 42%;
    top: 30%;
  }

  .bag span:nth-of-type(3) {
    left: 46%;
    top: 72%;
  }

  .bag span:nth-of-type(4) {
    left: 24%;
    top: 44%;
  }

  .bag span:nth-of-type(5) {
    left: 50%;
    top: 50%;
  }

  .sign {
    flex: 1;
    margin: 0;
    text-align: center;
    color: var(--wf-ink);
    line-height: 1.25;
  }

  .sign.new {
    color: var(--wf-position);
  }

  .sign b {
    display: block;
    font: calc(28 * var(--unit)) / 1 var(--wf-serif);
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.8rem;
    min-height: calc(48 * var(--unit));
  }

  .controls button[aria-pressed="true"] {
    background: var(--wf-hair);
  }

  .map {
    --label: calc(62 * var(--unit));
    --cell: min(calc(58 * var(--unit)), (100% - var(--label)) / var(--size));
    --head: calc(26 * var(--unit));
  }

  .map > * {
    --x: calc(var(--label) + var(--column) * var(--cell));
    --y: calc(var(--head) + var(--row) * var(--side));
    --side: calc(58 * var(--unit));
    position: absolute;
    left: var(--x);
    top: var(--y);
    width: calc(var(--cell) - 1px);
    height: calc(var(--side) - 1px);
    line-height: calc(var(--side) - 1px);
    text-align: center;
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

  @container (width < 440px) {
    .word {
      font-size: min(calc(18 * var(--unit)), 6.4cqi);
    }

    .bag {
      width: 41%;
    }

    .bag span {
      font-size: calc(13 * var(--unit));
    }
  }

  p {
    margin: 0.4rem 0 0;
    color: var(--wf-soft);
  }

  .said {
    min-height: 3em;
    color: var(--wf-ink);
    font: calc(17 * var(--unit)) / 1.45 var(--wf-serif);
  }

  p[part="small"] {
    min-height: 3em;
  }

  /* Its space is reserved until there is something to take. */
  .take {
    margin-top: 0.4rem;
    min-height: 36px;
  }

  .take summary {
    width: fit-content;
    padding-block: 0.5rem;
    color: var(--wf-soft);
    font-size: calc(13 * var(--unit));
    cursor: pointer;
  }

  @media (pointer: coarse) {
    .take summary {
      min-height: 44px;
    }

    .take {
      min-height: 44px;
    }
  }

  @media (prefers-reduced-motion: no-preference) {
    .cell {
      transition: transform 0.25s;
    }

    .map > * {
      transition:
        left 0.25s,
        top 0.25s;
    }

    .sentence path {
      transition: stroke-width 0.3s;
    }
  }

  @media print {
    .controls,
    .take {
      display: none;
    }

    .stage {
      break-inside: avoid;
    }
  }

  ${unsafeCSS(shades)}
`;
