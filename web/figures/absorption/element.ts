/** `<wf-absorption>`: why a rotation between two matrices keeps them from being merged. */
import { html } from "lit";
import { absorbedHead } from "../../defaults.js";
import { define } from "../../define.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { plain } from "../../text/numbers.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { switchStyles } from "../shared/figure/switch-styles.js";
import { bracketStyles, brackets } from "./brackets.js";
import { absorbCode } from "./code.js";
import type { AbsorbAnswer } from "./messages.js";
import { drawAbsorption, limitOf } from "./picture.js";
import { absorbWords } from "./words.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

const { rank, seed, farthest } = absorbedHead;

export class Absorption extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    distance: ofState("absorbedDistance"),
    moved: ofState("absorbedMoved"),
    shown: { state: true },
  };
  static override styles = [...figureStyles, switchStyles, bracketStyles];

  /** Tokens between query and key, 0 to 32. */
  declare distance: number;
  /** The matrix of the key: with the key, or moved to the query. */
  declare moved: "no" | "yes";
  declare shown: AbsorbAnswer | undefined;
  #line = new NewestWins("absorb");

  get data() {
    return this.shown;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const answer = await this.#line.ask({ distance: this.state.absorbedDistance });
      if (answer) this.shown = answer;
    });
  }

  #table({ rotated, plain: fixed, content, position }: AbsorbAnswer): (string | number)[][] {
    return [
      ["what", "row_or_distance", "column", "turned_or_content", "plain_or_turned_part"],
      ...Array.from(rotated, (value, at) => [
        "matrix",
        Math.floor(at / rank) + 1,
        (at % rank) + 1,
        value,
        fixed[at]!,
      ]),
      ...Array.from(content, (value, at) => ["score", at, "", value, position[at]!]),
    ];
  }

  protected override render() {
    const words = this.say(absorbWords);
    const { shown } = this;
    const { absorbedDistance: distance } = this.state;
    const caption = shown
      ? words.caption(
          shown.distance,
          shown.change,
          shown.content[shown.distance]!,
          shown.position[shown.distance]!,
        )
      : "";
    const title = shown?.distance === 0 ? words.titleZero : words.title;
    const limit = shown ? limitOf(shown) : 1;
    const takeaway = shown && {
      at: "absorption",
      title,
      code: absorbCode(shown.distance),
      table: () => this.#table(shown),
      scene: () => this.scene(),
    };
    const isMoved = this.state.absorbedMoved === "yes";
    const move = () => this.change({ absorbedMoved: isMoved ? "no" : "yes" });
    const set = ({ detail }: CustomEvent<number>) => this.change({ absorbedDistance: detail });
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note(rank, seed)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <div slot="ask" class="row"
        ><button class="switch" role="switch" aria-checked=${isMoved} @click=${move}
          >${words.move}</button
        ></div
      >
      ${brackets(isMoved, words)}
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawAbsorption(shown, words)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${words.scale}
        .signed=${true}
        .low=${plain(-limit)}
        .high=${`+${plain(limit)}`}
        .theme=${this.state.theme}
      ></wf-scale>
      <wf-slider
        slot="controls"
        .label=${words.distance}
        .value=${distance}
        .min=${0}
        .max=${farthest}
        .text=${words.distanceText(distance)}
        @wf-change=${set}
      ></wf-slider>
    </wf-frame>`;
  }
}

define("wf-absorption", Absorption);
