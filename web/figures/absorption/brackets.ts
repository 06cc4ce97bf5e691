/**
 * The product of query and key as boxes in brackets: without a rotation the key's matrix goes over
 * to the query's bracket, with one it bounces off.
 */
import { css, html, type TemplateResult } from "lit";
import type { AbsorbWords } from "./words.js";

export const bracketStyles = css`
  .products {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(330 * var(--wf-px, 1px))), 1fr));
    gap: 0.6rem 2rem;
    margin-bottom: 1.4rem;
  }

  .product {
    position: relative;
    max-width: calc(360 * var(--wf-px, 1px));
    height: calc(64 * var(--wf-px, 1px));
    margin-top: 0.4rem;
    font: calc(18 * var(--wf-px, 1px)) / calc(40 * var(--wf-px, 1px)) var(--wf-serif);
  }

  .product > * {
    position: absolute;
    top: calc(12 * var(--wf-px, 1px));
    width: 17%;
    text-align: center;
  }

  .matrix {
    border: 1px solid var(--wf-ink);
    background: var(--wf-paper);
  }

  .query {
    border-color: var(--wf-query);
  }

  .key {
    border-color: var(--wf-key);
  }

  .rotation {
    border: 2px solid var(--wf-position);
    border-radius: 50%;
    color: var(--wf-position);
  }

  .at0 {
    left: 3%;
  }

  .at1 {
    left: 22%;
  }

  .at2 {
    left: 42%;
  }

  .at3 {
    left: 62%;
  }

  .at4 {
    left: 81%;
  }

  .product > .bracket {
    top: 0;
    height: 100%;
    border: 2px solid var(--wf-soft);
    border-block-color: transparent;
    border-radius: 14px;
  }

  .product > .left {
    left: 0;
    width: 41%;
  }

  .product > .right {
    left: 60%;
    width: 40%;
  }

  .moved > .left {
    width: 61%;
  }

  .moved > .right {
    left: 80%;
    width: 20%;
  }

  .product + p,
  .products p {
    margin: 0.3rem 0 0;
    color: var(--wf-soft);
  }

  @media (prefers-reduced-motion: no-preference) {
    .product > * {
      transition:
        left 0.5s,
        width 0.5s;
    }

    .refused > .key.matrix {
      animation: bounce 0.9s 1;
    }
  }

  @keyframes bounce {
    30%,
    36% {
      left: 55%;
    }

    60% {
      left: 66%;
    }

    80% {
      left: 60%;
    }
  }
`;

const wq = html`W<sub>UQ</sub><sup>T</sup>`;
const wk = html`W<sub>UK</sub>`;

function product(isRotated: boolean, isMoved: boolean, words: AbsorbWords): TemplateResult {
  const goes = isMoved && !isRotated;
  const state = !isMoved ? "" : isRotated ? "refused" : "moved";
  return html`<div role="img" aria-label=${words.product(isRotated, isMoved)}
    ><div class="product ${state}" aria-hidden="true"
      ><span class="bracket left"></span><span class="bracket right"></span
      ><span class="at0">c′<sup>T</sup></span
      ><span class="matrix query at1">${wq}</span
      ><span class="${isRotated ? "rotation" : ""} at${goes ? 3 : 2}">${isRotated ? "R" : "·"}</span
      ><span class="matrix key at${goes ? 2 : 3}">${wk}</span><span class="at4">c</span></div
    ><p>${words.product(isRotated, isMoved)}</p></div
  >`;
}

/** Both products, before or after the matrix has been moved. */
export const brackets = (isMoved: boolean, words: AbsorbWords): TemplateResult =>
  html`<div class="products"
    >${product(false, isMoved, words)}${product(true, isMoved, words)}</div
  >`;
