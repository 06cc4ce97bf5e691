/**
 * One head over the held-out text: its scores beside uniform attention, and the model's strongest
 * head of each kind.
 */
import { html, nothing, type TemplateResult } from "lit";
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
  /** Language of the held-out text. */
  language: Language;
  layer: number;
  head: number;
  words: ScoresWords;
  termName: (name: string) => string;
  joiner: string;
  choose: (layer: number, head: number) => void;
}

const number = (value: number): string =>
  `${value < -0.005 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

/**
 * Returns the cell of one model: the head's score, the score of uniform attention, the strongest
 * head.
 */
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
  const evenText =
    even === undefined ? nothing : html`<span class="even">${words.even(number(even))}</span>`;
  const best = strongestHead(heldOut, kind)!;
  const isBest = best.layer === layer && best.head === head;
  const shown = words.strongest(best.layer + 1, best.head + 1, number(best.value));
  return html`<div>
    ${title}
    <span class="value"
      >${kind === "position" ? parts.join(view.joiner) : number(value)} ${evenText}</span
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
  const title = words.title(view.layer + 1, view.head + 1, language);
  return html`<section class="scores" aria-label=${title}>
    <h4>${title}</h4>
    ${shown.map(
      (kind) =>
        html`<div class="score" data-kind=${kind}>
          <p><strong>${words.kinds[kind].name}</strong>${words.kinds[kind].meaning}</p>
          <div class="models">${models.map((model) => cellOf(model, kind, view))}</div>
        </div>`,
    )}
  </section>`;
}
