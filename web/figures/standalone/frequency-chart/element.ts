/**
 * `<wf-frequency-chart>`: wavelengths of rotary pairs compared with the context, before and after a
 * scaling.
 */

import type { Draw } from "../../../controls/scene-view.js";
import { maxStretch } from "../../../defaults.js";
import { define } from "../../../define.js";
import type { PairsAnswer } from "../../../engine/both/element-messages.js";
import { stretchedPairs, wavelength } from "../../../engine/both/stretched-pairs.js";
import { wavelengthText } from "../../../text/numbers.js";
import { type PickedCell, rowByName } from "../../shared/data/data-figure.js";
import { RopeFigure } from "../../shared/data/rope-figure.js";
import { pairsCode } from "../../shared/exports/rope-code.js";
import { chartMarks, type Wavelengths } from "../../shared/pictures/wavelength-chart.js";
import { frequencyWords } from "./words.js";
import "../../shared/figure/frame.js";

/**
 * Returns the wavelengths of an answer; a config without a length is drawn as if trained on one
 * token.
 */
function wavelengthsOf({ before, after, trained, length }: PairsAnswer): Wavelengths {
  const from = trained || 1;
  const factor = Math.max(1, length / from);
  return { length: from, factor, pairs: stretchedPairs(before, after, from, factor) };
}

export class FrequencyChart extends RopeFigure {
  static override properties = { ...RopeFigure.properties };

  #draw(drawn: Wavelengths): Draw {
    const words = this.say(frequencyWords);
    return (width, palette, measure) => {
      const area = { x: 0, y: 0, width };
      const { marks, grid, bottom } = chartMarks(drawn, area, words, palette, measure);
      return { width, height: bottom, marks, grids: [grid] };
    };
  }

  #caption({ attentionFactor }: PairsAnswer, { pairs, length, factor }: Wavelengths): string {
    const words = this.say(frequencyWords);
    const isNew = pairs.filter((pair) => pair.isNew).length;
    const square = attentionFactor ** 2;
    const said = words.caption(isNew, pairs.length, Math.round(length * factor));
    return square > 1.005 ? said + words.scores(square) : said;
  }

  #slider() {
    const { factor, trained } = this;
    const words = this.say(frequencyWords);
    const text = words.factorText(factor, Math.round(factor * trained));
    return this.slider("factor", words.factor, factor, Math.max(maxStretch, factor), text, 1);
  }

  #table({ pairs }: Wavelengths) {
    const words = this.say(frequencyWords);
    return {
      label: this.dataWords.table,
      columns: words.columns,
      rows: pairs.map(({ before, after, kind, isNew }, pair) => [
        String(pair + 1),
        words.kinds[kind],
        wavelengthText(wavelength(before)),
        wavelengthText(wavelength(after)),
        (before / after).toFixed(2),
        isNew ? words.yes : words.no,
      ]),
    };
  }

  #rows({ pairs }: Wavelengths): (string | number)[][] {
    return [
      ["pair", "kind", "tokens_a_turn_trained", "tokens_a_turn_now", "divisor", "new_angles"],
      ...pairs.map(({ before, after, kind, isNew }, pair) => [
        pair + 1,
        kind,
        wavelength(before),
        wavelength(after),
        before / after,
        isNew ? 1 : 0,
      ]),
    ];
  }

  protected picked({ column }: PickedCell) {
    return this.shown && rowByName(this.#rows(wavelengthsOf(this.shown)), column);
  }

  protected override render() {
    const words = this.say(frequencyWords);
    const { shown } = this;
    const drawn = shown && wavelengthsOf(shown);
    const rotated = drawn?.pairs.filter(({ hasRotated }) => hasRotated).length ?? 0;
    const title = drawn ? words.title(rotated, drawn.pairs.length, drawn.length) : words.name;
    const caption = drawn ? this.#caption(shown, drawn) : "";
    return this.framed({
      name: words.name,
      title,
      caption,
      caveat: words.caveat,
      inside: drawn ? this.sceneOf(`${words.name}. ${caption}`, this.#draw(drawn)) : "",
      around: drawn && !this.readsConfig ? this.#slider() : "",
      takeaway: drawn && {
        at: "frequency-chart",
        title,
        code: pairsCode(shown),
        table: () => this.#rows(drawn),
        scene: () => this.scene(),
      },
      table: drawn && this.#table(drawn),
    });
  }
}

define("wf-frequency-chart", FrequencyChart);
