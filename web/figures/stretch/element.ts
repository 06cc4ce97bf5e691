/** `<wf-stretch>`: how each method changes the rotating pairs, and which angles are new to them. */
import { html, nothing } from "lit";
import {
  maxStretch,
  type StretchHead,
  type StretchMethod,
  stretchHeads,
  stretchMethods,
} from "../../defaults.js";
import { define } from "../../define.js";
import { reachesNew, wavelength } from "../../engine/both/stretched-pairs.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { wavelengthText } from "../../text/numbers.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { playStyles } from "../shared/figure/play-styles.js";
import { Run } from "../shared/figure/run.js";
import { ofState } from "../shared/figure/state-properties.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { stretchCode } from "./code.js";
import { countPairs } from "./counted.js";
import type { StretchAnswer } from "./messages.js";
import { drawDials, drawWavelengths } from "./picture.js";
import { stretchWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/scrub.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

/** Limits of the ramp's two thresholds, in full rotations. */
const maxRotations = 64;

/** Time in which the text grows to its full length. */
const seconds = 5;

export class Stretch extends FigureElement {
  static override lead = "wf-choice.method";
  static override properties = {
    ...FigureElement.properties,
    method: ofState("stretchMethod"),
    factor: ofState("stretchFactor"),
    head: ofState("stretchHead"),
    fast: ofState("stretchRamp", 0),
    slow: ofState("stretchRamp", 1),
    shown: { state: true },
    grown: { state: true },
  };
  static override styles = [...figureStyles, numberTable, belowStyles, playStyles];

  /** The method that changes the frequencies of the pairs. */
  declare method: StretchMethod;
  /** Length of the text as a multiple of the trained length, 1 to 32. */
  declare factor: number;
  /** The model whose head is shown: the small models here, Llama or Phi. */
  declare head: StretchHead;
  /** Rotations in the trained length from which a pair is unchanged (YaRN). */
  declare fast: number;
  /** Rotations below which a pair is divided (YaRN). */
  declare slow: number;
  declare shown: StretchAnswer | undefined;
  /** Length of the text while it grows, as a multiple of the trained length. */
  declare grown: number | undefined;
  #line = new NewestWins("stretch");
  #run = new Run();

  get data() {
    return this.shown;
  }

  protected stateChanged(): void {
    this.#end();
    void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  get #factor(): number {
    return Math.max(1, Math.min(maxStretch, this.state.stretchFactor));
  }

  /** The ramp from the address, if its thresholds are in ascending order. */
  get #ramp(): [number, number] {
    const [fast = 32, slow = 1] = this.state.stretchRamp;
    const low = Math.max(1, Math.min(maxRotations - 1, slow));
    return [Math.max(low + 1, Math.min(maxRotations, fast)), low];
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { stretchMethod: method, stretchHead: head } = this.state;
      const question = { method, head, factor: this.#factor, ramp: this.#ramp };
      const answer = await this.#line.ask(question);
      if (answer) this.shown = answer;
    });
  }

  // -------------------------------------------------------------------------- a text that grows

  #end = (): void => {
    this.#run.stop();
    this.grown = undefined;
  };

  #play = (): void => {
    const factor = this.#factor;
    if (this.#run.isOn || factor === 1) {
      this.#end();
      return;
    }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const next = this.grown === undefined ? 1 : this.grown + 1;
      this.grown = next < factor ? next : undefined;
      return;
    }
    const show = (gone: number) => {
      this.grown = 1 + gone;
    };
    this.#run.start(factor - 1, (factor - 1) / seconds, show, this.#end);
    this.grown = 1;
  };

  #onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || this.grown === undefined) return;
    event.preventDefault();
    this.#end();
  };

  /** The answer for the text as long as it is drawn. */
  get #drawn(): StretchAnswer | undefined {
    const { shown, grown: factor } = this;
    if (!shown || factor === undefined) return shown;
    const { length } = shown;
    const pairs = shown.pairs.map((pair) => ({ ...pair, isNew: reachesNew(pair, length, factor) }));
    return { ...shown, factor, pairs };
  }

  #caption(answer: StretchAnswer): string {
    const words = this.say(stretchWords);
    const { method, attentionFactor, pairs } = answer;
    const count = countPairs(answer);
    const square = attentionFactor ** 2;
    const fastest = pairs[0]!.after;
    return [
      method === "none"
        ? words.plainCaption(answer, count)
        : words.caption(words.names[method], answer, count),
      fastest < 0.95 ? words.neighbours(fastest) : "",
      square > 1.005 ? words.temperature(square) : "",
      method === "longrope" ? words.searched(answer) : "",
    ].join("");
  }

  #rows(answer: StretchAnswer): (string | number)[][] {
    return [
      ["pair", "kind", "tokens_a_turn_trained", "tokens_a_turn_now", "divisor", "new_angles"],
      ...answer.pairs.map(({ before, after, kind, isNew }, pair) => [
        pair + 1,
        kind,
        wavelength(before),
        wavelength(after),
        before / after,
        isNew ? 1 : 0,
      ]),
    ];
  }

  // -------------------------------------------------------------------------- parts

  #table(answer: StretchAnswer) {
    const words = this.say(stretchWords);
    return foldedTable({
      label: words.tableLabel,
      columns: words.columns,
      rows: answer.pairs.map(({ before, after, kind, isNew }, pair) => [
        words.dial(pair + 1),
        words.kinds[kind],
        wavelengthText(wavelength(before)),
        wavelengthText(wavelength(after)),
        (before / after).toFixed(2),
        isNew ? words.yes : words.no,
      ]),
    });
  }

  #rampSlider(label: string, value: number, to: (at: number) => number[]) {
    const set = ({ detail }: CustomEvent<number>) => this.change({ stretchRamp: to(detail) });
    return html`<wf-slider
      .label=${label}
      .value=${value}
      .min=${1}
      .max=${maxRotations}
      .text=${this.say(stretchWords).ramp(value)}
      @wf-change=${set}
    ></wf-slider>`;
  }

  #options() {
    const words = this.say(stretchWords);
    const [fast, slow] = this.#ramp;
    const setHead = ({ detail }: CustomEvent<string>) =>
      this.change({ stretchHead: detail as StretchHead });
    return html`<details class="all"
      ><summary>${words.options}</summary>
      <wf-choice
        class="head"
        .label=${words.head}
        .value=${this.shown?.head ?? this.state.stretchHead}
        .options=${Object.keys(stretchHeads).map((head) => ({
          value: head,
          text: words.heads[head as StretchHead],
        }))}
        @wf-change=${setHead}
      ></wf-choice>
      ${this.#rampSlider(words.fast, fast, (at) => [Math.max(at, slow + 1), slow])}
      ${this.#rampSlider(words.slow, slow, (at) => [fast, Math.min(at, fast - 1)])}
      <p class="hint">${words.rampOnly}</p>
    </details>`;
  }

  #controls() {
    const words = this.say(stretchWords);
    const { stretchMethod, stretchHead } = this.state;
    const { length } = this.shown ?? stretchHeads[stretchHead];
    const factor = this.#factor;
    const setMethod = ({ detail }: CustomEvent<string>) =>
      this.change({ stretchMethod: detail as StretchMethod });
    const setFactor = ({ detail }: CustomEvent<number>) => this.change({ stretchFactor: detail });
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tokens = Math.round((this.grown ?? factor) * length);
    return html`<div slot="controls" class="row"
        ><button class="play" @click=${this.#play}
          >${this.#run.isOn ? words.stop : isStill ? words.step : words.play}</button
        ><span>${words.tokens(tokens)}</span></div
      ><wf-choice
        slot="controls"
        class="method"
        .label=${words.method}
        .value=${stretchMethod}
        .options=${stretchMethods.map((value) => ({ value, text: words.names[value] }))}
        @wf-change=${setMethod}
      ></wf-choice>
      <wf-slider
        slot="controls"
        class="factor"
        .label=${words.factor}
        .value=${factor}
        .min=${1}
        .max=${maxStretch}
        .text=${words.factorText(factor, length)}
        @wf-change=${setFactor}
      ></wf-slider>`;
  }

  protected override render() {
    const words = this.say(stretchWords);
    const { shown } = this;
    const drawn = this.#drawn;
    const caption = shown ? this.#caption(shown) : "";
    const count = drawn && countPairs(drawn);
    const title = drawn
      ? words.title(words.names[drawn.method], count!.isNew, count!.pairs)
      : words.name;
    const takeaway = shown && {
      at: "stretch",
      title,
      code: stretchCode(shown),
      table: () => this.#rows(shown),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${shown ? words.note(shown) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .isQuiet=${this.grown !== undefined}
      .takeaway=${takeaway}
      @keydown=${this.#onKey}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawDials(drawn, words)}
      ></wf-scene>
      ${this.#controls()}
      <div slot="options" class="below"
        >${
          drawn
            ? html`<wf-scene
                class="wavelengths"
                .label=${words.wavelength}
                .hint=${this.words.keys}
                .draw=${drawWavelengths(drawn, words)}
              ></wf-scene>`
            : nothing
        }
        ${this.#options()} ${shown ? this.#table(shown) : nothing}</div
      >
    </wf-frame>`;
  }
}

define("wf-stretch", Stretch);
