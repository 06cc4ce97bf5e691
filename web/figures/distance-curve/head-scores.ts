/** What one head does over the held-out text: its scores beside even attention, and the model's strongest head of each kind. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Language } from "../../defaults.js";
import {
  type CorpusHeads,
  type ScoreKind,
  scoreKinds,
  scoreOf,
  strongestHead,
} from "../../engine/page/corpus-heads.js";
import type { ScoresWords } from "./scores-words.js";

export interface ScoredModel {
  name: string;
  corpus: CorpusHeads;
}

export interface ScoresView {
  models: readonly ScoredModel[];
  /** Which held-out text. */
  language: Language;
  layer: number;
  head: number;
  words: ScoresWords;
  termName: (name: string) => string;
  joiner: string;
  choose: (layer: number, head: number) => void;
}

export const scoreStyles = css`
  .scores {
    margin-top: 1.4rem;
  }

  .scores h4 {
    margin: 0 0 0.3rem;
    font: 600 14px / 1.5 var(--wf-sans);
  }

  .score {
    display: grid;
    gap: 0.3rem 26px;
    padding: 0.7rem 0;
    border-top: 1px solid var(--wf-hair);
  }

  .score p {
    margin: 0;
    color: var(--wf-soft);
    font-size: 13px;
    text-wrap: pretty;
  }

  .score strong {
    display: block;
    color: var(--wf-ink);
    font-size: 14px;
    font-weight: 600;
  }

  .models {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.5rem 26px;
  }

  .model,
  .value {
    display: block;
  }

  .model,
  .even {
    color: var(--wf-soft);
    font-size: 12px;
  }

  .jump {
    min-height: 30px;
    color: var(--wf-soft);
    font-size: 13px;
    text-align: start;
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.25em;
  }

  .jump:hover {
    color: var(--wf-ink);
  }

  .is-best {
    font-size: 13px;
  }

  @media (pointer: coarse) {
    .jump {
      min-height: 44px;
    }
  }

  @media (min-width: 50rem) {
    .score {
      grid-template-columns: 15rem 1fr;
    }

    .models {
      grid-template-columns: none;
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
    }
  }
`;

const number = (value: number): string =>
  `${value < -0.005 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

/** What stands in one model's place: the head's score, what even attention would score, the strongest head. */
function cellOf({ name, corpus }: ScoredModel, kind: ScoreKind, view: ScoresView): TemplateResult {
  const { words, language, layer, head } = view;
  const heldOut = corpus.texts[language];
  const scores = heldOut.heads.get(`${layer}.${head}`);
  const value = scores && scoreOf(scores, kind);
  const title = html`<span class="model">${name}</span>`;
  if (!scores || value === undefined)
    return html`<div>${title}<span>${words.none[kind]}</span></div>`;
  const parts = Object.entries(scores.terms).map(
    ([term, share]) => `${view.termName(term)} ${number(share)}`,
  );
  const even = scoreOf(heldOut.uniform, kind);
  const best = strongestHead(heldOut, kind)!;
  const isBest = best.layer === layer && best.head === head;
  const shown = words.strongest(best.layer + 1, best.head + 1, number(best.value));
  return html`<div>
    ${title}
    <span class="value"
      >${kind === "position" ? parts.join(view.joiner) : number(value)}
      ${even === undefined ? nothing : html`<span class="even">${words.even(number(even))}</span>`}</span
    >
    ${
      isBest
        ? html`<span class="is-best">${words.isStrongest}</span>`
        : html`<button
            class="jump"
            aria-label=${words.jump(shown, words.kinds[kind].name, name)}
            @click=${() => view.choose(best.layer, best.head)}
          >
            ${shown}
          </button>`
    }
  </div>`;
}

export function renderScores(view: ScoresView): TemplateResult | typeof nothing {
  const { models, words, language } = view;
  if (!models.length) return nothing;
  const shown = scoreKinds.filter(
    (kind) =>
      kind === "position" ||
      models.some(({ corpus }) => scoreOf(corpus.texts[language].uniform, kind) !== undefined),
  );
  return html`<section class="scores" aria-label=${words.title(view.layer + 1, view.head + 1, language)}>
    <h4>${words.title(view.layer + 1, view.head + 1, language)}</h4>
    ${shown.map(
      (kind) => html`<div class="score" data-kind=${kind}>
        <p><strong>${words.kinds[kind].name}</strong>${words.kinds[kind].meaning}</p>
        <div class="models">${models.map((model) => cellOf(model, kind, view))}</div>
      </div>`,
    )}
  </section>`;
}
