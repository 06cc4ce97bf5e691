/** All heads of the model by two measures, and which pairs of channels its layers use. */
import { html, nothing } from "lit";
import type { CellEventDetail } from "../../controls/scene-view.js";
import type { LayerTypeFacts, MeasuredHeadsAnswer } from "../../engine/both/checkpoint-messages.js";
import {
  dotOrder,
  drawHeadsAndDots,
  headAt,
  layerAxis,
} from "../shared/pictures/heads-and-dots.js";
import type { DotsWords } from "../shared/pictures/heads-words.js";
import { drawPairs, pairsByLayer } from "../shared/pictures/pairs-by-layer.js";
import type { ShownHeads } from "../shared/pictures/shown-heads.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";

/** Measures of the axes. */
export interface HeadAxes {
  x: string;
  y: string;
}

export interface MeasuredView {
  measured: MeasuredHeadsAnswer;
  facts: LayerTypeFacts;
  axes: HeadAxes;
  chosen: { layer: number; head: number };
  words: DotsWords;
  keys: string;
  change: (axes: Partial<HeadAxes>) => void;
  choose: (layer: number, head: number) => void;
}

/** Whether heads differ by more than rounding; measures that no head has are NaN. */
const differs = (values: Float32Array): boolean => {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length > 1 && Math.max(...known) - Math.min(...known) > 1e-5;
};

const shownOf = ({ measured, facts }: MeasuredView): ShownHeads => ({
  layers: facts.numLayers,
  heads: facts.numHeads,
  measures: Object.fromEntries(
    Object.entries(measured.measures)
      .filter(([, values]) => differs(values))
      .map(([name, values]) => [name, Array.from(values)]),
  ),
});

export function measuredHeads(view: MeasuredView) {
  const { measured, axes, chosen, words, keys, change, choose } = view;
  const shown = shownOf(view);
  const names = Object.keys(shown.measures);
  if (!names.length) return nothing;
  const x = names.includes(axes.x) ? axes.x : layerAxis;
  const y = names.includes(axes.y) ? axes.y : names[0]!;
  const onCell = ({ detail }: CustomEvent<CellEventDetail>) => {
    const at = dotOrder(shown, x, y)[detail.column];
    if (!detail.chosen || at === undefined) return;
    const { row, column } = headAt(at, shown.heads);
    choose(row, column);
  };
  const axis = (name: keyof HeadAxes, label: string, value: string, all: readonly string[]) =>
    html`<wf-choice
      class=${name}
      .label=${label}
      .value=${value}
      .options=${all.map((id) => ({ value: id, text: words.short[id] ?? id }))}
      @wf-change=${({ detail }: CustomEvent<string>) => change({ [name]: detail })}
    ></wf-choice>`;
  const { pairs } = measured;
  return html`${axis("x", words.across, x, [layerAxis, ...names])} ${axis("y", words.up, y, names)}
    <wf-scene
      class="dots"
      .label=${words.dots}
      .hint=${keys}
      .draw=${drawHeadsAndDots({ shown, x, y, words, hasDotsOnly: true })}
      .active=${{ row: chosen.layer, column: chosen.head }}
      @wf-cell=${onCell}
    ></wf-scene>
    ${
      pairs
        ? html`<wf-scene
            class="pairs"
            .label=${words.pairs}
            .hint=${keys}
            .draw=${drawPairs(pairsByLayer(pairs.shares, shown, pairs.wavelengths), words)}
          ></wf-scene>`
        : nothing
    }`;
}
