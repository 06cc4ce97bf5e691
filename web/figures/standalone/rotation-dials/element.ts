/**
 * `<wf-rotation-dials>`: the angles of a rotary head's pairs at a position, with and without
 * scaling.
 */
import { define } from "../../../define.js";
import type { PairsAnswer } from "../../../engine/both/element-messages.js";
import { wavelength } from "../../../engine/both/stretched-pairs.js";
import { wavelengthText } from "../../../text/numbers.js";
import { type PickedCell, rowByName } from "../../shared/data/data-figure.js";
import { RopeFigure } from "../../shared/data/rope-figure.js";
import { pairsCode } from "../../shared/exports/rope-code.js";
import { ofKind, whole } from "../../shared/given/kinds.js";
import { drawDials } from "./picture.js";
import { dialWords } from "./words.js";
import "../../shared/figure/frame.js";

/** Maximum positions of the slider. */
const maxSteps = 511;

export class RotationDials extends RopeFigure {
  static override properties = {
    ...RopeFigure.properties,
    position: ofKind(whole(), 12),
  };

  /** The position, from 0. */
  declare position: number;

  /**
   * Returns the largest position of the slider: the last one of the text, limited to `maxSteps`,
   * or the attribute's if that is larger.
   */
  #max({ length }: PairsAnswer): number {
    return Math.max(1, Math.min(length - 1, maxSteps), this.position);
  }

  #caption({ after }: PairsAnswer): string {
    const { position } = this;
    const made = Array.from(after, (radians) => position / wavelength(radians));
    const around = made.filter((count) => count >= 1).length;
    return this.say(dialWords).caption(position, made[0]!, made.at(-1)!, around, after.length);
  }

  /** Returns a row for each pair: wavelength, full rotations, angle. */
  #rows({ after }: PairsAnswer): number[][] {
    const { degrees } = this.say(dialWords);
    return Array.from(after, (radians, pair) => {
      const tokens = wavelength(radians);
      return [pair + 1, tokens, this.position / tokens, degrees(this.position * radians)];
    });
  }

  #table(shown: PairsAnswer): (string | number)[][] {
    return [
      ["pair", "tokens_a_turn", "turns_made", "degrees", "radians_a_position", "unscaled"],
      ...this.#rows(shown).map((row, pair) => [...row, shown.after[pair]!, shown.before[pair]!]),
    ];
  }

  protected picked({ row, column }: PickedCell) {
    const grid = this.scene()?.picture?.grids[0];
    return this.shown && grid && rowByName(this.#table(this.shown), row * grid.columns + column);
  }

  protected override render() {
    const words = this.say(dialWords);
    const { shown, position } = this;
    const title = shown ? words.title(position, shown.after.length) : words.name;
    const caption = shown ? this.#caption(shown) : "";
    const rows = shown ? this.#rows(shown) : [];
    return this.framed({
      name: words.name,
      title,
      caption,
      caveat: words.caveat,
      note: shown ? words.note(shown.trained, shown.length) : "",
      inside: shown
        ? this.sceneOf(`${words.name}. ${caption}`, drawDials(shown, position, words))
        : "",
      around: shown
        ? this.slider("position", words.position, position, this.#max(shown), words.at(position))
        : "",
      takeaway: shown && {
        at: "rotation-dials",
        title,
        code: pairsCode(shown),
        table: () => this.#table(shown),
        scene: () => this.scene(),
      },
      table: shown && {
        label: this.dataWords.table,
        columns: words.columns,
        rows: rows.map(([pair, tokens, made, angle]) => [
          String(pair),
          wavelengthText(tokens!),
          String(Number(made!.toPrecision(3))),
          `${angle}°`,
        ]),
      },
    });
  }
}

define("wf-rotation-dials", RotationDials);
