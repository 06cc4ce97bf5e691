/**
 * `<wf-slide>`: a sentence that moves on as a whole, and which schemes' attention maps change with
 * it.
 */
import { css, html, nothing } from "lit";
import { slideView } from "../../defaults.js";
import { define } from "../../define.js";
import { familyOf } from "../../drawing/family-colours.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { familyKey } from "../shared/pictures/family-key.js";
import { familyStyles } from "../shared/pictures/family-styles.js";
import { familyWords } from "../shared/pictures/family-words.js";
import { type Change, changesOf } from "./changes.js";
import { slideCode } from "./code.js";
import type { SlideAnswer } from "./messages.js";
import { drawSlide, type Tile } from "./picture.js";
import { type Slid, slideWords } from "./words.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

const slideStyles = css`
  /* A sample of the outline. */
  .outlined::before {
    content: "";
    display: inline-block;
    width: 1.1em;
    height: 0.9em;
    margin-inline-end: 0.5em;
    margin-bottom: -0.1em;
    border: 2px solid var(--wf-ink);
    box-sizing: border-box;
  }
`;

export class Slide extends FigureElement {
  static override lead = "wf-slider";
  static override properties = {
    ...FigureElement.properties,
    shift: ofState("slideBy"),
    answer: { state: true },
  };

  static override styles = [...figureStyles, familyStyles, slideStyles];

  /** Positions by which the sentence has moved on, 0 to 100. */
  declare shift: number;
  declare answer: SlideAnswer | undefined;

  #line = new NewestWins("slide");

  get data() {
    const { answer } = this;
    if (!answer) return undefined;
    const { ids } = answer;
    return { ids, shift: this.state.slideBy, changes: changesOf(answer, this.state.slideBy) };
  }

  protected stateChanged(): void {
    this.fetchNames();
    void this.#ask();
  }

  /** The words of the sentence as ids, in the order in which they first occur. */
  get #ids(): number[] {
    const { tokens } = this.say(slideWords);
    const all = [...new Set(tokens)];
    return tokens.map((token) => all.indexOf(token));
  }

  #ask(): Promise<void> {
    const ids = this.#ids;
    if (this.answer?.ids.join() === ids.join()) return Promise.resolve();
    return this.attempt(async () => {
      const answer = await this.#line.ask({ ids });
      if (answer) this.answer = answer;
    });
  }

  #tiles(changes: readonly Change[]): Tile[] {
    const known = schemeWords(this.state.language);
    return changes.map((one) => ({ ...one, name: shortTitle(wordsOf(known, one.scheme)) }));
  }

  #slid(tiles: readonly Tile[]): Slid {
    const steady = tiles.filter(({ isChanged }) => !isChanged);
    return {
      shift: this.state.slideBy,
      changed: tiles.filter(({ isChanged }) => isChanged).map(({ name }) => name),
      all: tiles.length,
      rounding: Math.max(0, ...steady.map(({ largest }) => largest)),
    };
  }

  protected override render() {
    const words = this.say(slideWords);
    const { data } = this;
    const { slideBy: shift } = this.state;
    const tiles = data && this.#tiles(data.changes);
    const slid = tiles && this.#slid(tiles);
    const caption = slid ? words.caption(slid) : "";
    const title = slid ? words.title(slid) : words.name;
    const takeaway = data && {
      at: "slide",
      title,
      code: slideCode(data.ids, shift),
      table: () => [
        ["scheme", "largest_change"],
        ...data.changes.map(({ scheme, largest }) => [scheme, largest]),
      ],
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note(words.tokens)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawSlide(tiles, shift, words)}
      ></wf-scene>
      ${
        data
          ? html`<wf-scale
                slot="legend"
                .label=${words.scale}
                .low=${"0"}
                .high=${"1"}
                .theme=${this.state.theme}
              ></wf-scale>
              <span slot="legend" class="outlined">${words.outlined}</span>`
          : nothing
      }
      ${
        tiles
          ? familyKey(
              tiles.map(({ scheme }) => familyOf(scheme)),
              this.say(familyWords),
            )
          : nothing
      }
      <wf-slider
        slot="controls"
        .label=${words.slider}
        .value=${shift}
        .min=${0}
        .max=${slideView.farthest}
        .text=${words.positions(shift)}
        @wf-change=${({ detail }: CustomEvent<number>) => this.change({ slideBy: detail })}
      ></wf-slider>
    </wf-frame>`;
  }
}

define("wf-slide", Slide);
