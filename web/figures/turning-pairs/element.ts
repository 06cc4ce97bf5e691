/**
 * `<wf-turning-pairs>`: a query and a key as clock hands; the score depends on the angles between
 * them.
 */
import { html, nothing } from "lit";
import { define } from "../../define.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import {
  oneHand,
  type RotationStep,
  rotatedHead,
  rotationSteps,
} from "../../engine/both/rotated-heads.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { oneHandCode, rotationCode } from "./code.js";
import { swing } from "./distance-chart.js";
import type { RotationAnswer } from "./messages.js";
import { between, degrees } from "./panel.js";
import { drawRotation } from "./picture.js";
import { rotationStyles } from "./styles.js";
import { rotationWords } from "./words.js";
import "../shared/figure/frame.js";

const { bases, farthestPosition, headDim } = rotatedHead;
/** Steps that show the bound, and let the reader choose the base. */
const ofBase: readonly RotationStep[] = ["base", "all"];
/** Returns the next step in order; the last shows everything. */
const nextOf = (step: RotationStep): RotationStep =>
  rotationSteps[(rotationSteps.indexOf(step) + 1) % rotationSteps.length]!;

export class TurningPairs extends FigureElement {
  static override lead = "wf-slider.both";
  static override properties = {
    ...FigureElement.properties,
    query: ofState("turningAt", 0),
    key: ofState("turningAt", 1),
    base: ofState("turningBase"),
    step: ofState("turningStep"),
    shown: { state: true },
  };

  static override styles = [...figureStyles, rotationStyles];

  /** Position of the query. */
  declare query: number;
  /** Position of the key. */
  declare key: number;
  /** Base of the frequencies; `1.0001` rotates all pairs nearly equally. */
  declare base: string;
  /** Step of the picture: from a single pair (`one`) to all parts (`all`). */
  declare step: RotationStep;
  declare shown: RotationAnswer | undefined;
  #line = new NewestWins("rotation");

  get data() {
    return this.shown;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  /** Positions of query and key, clamped to their sliders. */
  #positions(): [number, number] {
    const [query = 0, key = 0] = this.state.turningAt;
    return [Math.min(query, farthestPosition), Math.min(key, farthestPosition)];
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const [query, key] = this.#positions();
      const answer = await this.#line.ask({ theta: Number(this.state.turningBase), query, key });
      if (answer) this.shown = answer;
    });
  }

  #caption(): string {
    if (!this.shown) return "";
    const { theta, query, key, score, pairs, hands, frequencies, scores, bounds } = this.shown;
    const words = this.say(rotationWords);
    const { turningStep: step } = this.state;
    const distance = Math.abs(query - key);
    if (step === "one") {
      const apart = degrees(between(distance * oneHand.theta));
      return words.captions.one(distance, apart, hands.product);
    }
    if (theta < 2) return words.captionAlike(query, key, score, pairs.length);
    const slowest = frequencies.at(-1)!;
    const wavelength = (2 * Math.PI) / slowest;
    const { low, high } = swing(scores);
    const share = (values: Float32Array, at: number) => values[at]! / scores[0]!;
    switch (step) {
      case "many": {
        const [first, last] = [frequencies[0]!, slowest].map((one) =>
          degrees(between(distance * one)),
        );
        return words.captions.many(distance, first!, last!, wavelength);
      }
      case "sum":
        return words.captions.sum(distance, score, pairs.length);
      case "far":
        return words.captions.far(low, share(scores, low), high, share(scores, high));
      case "base": {
        const [reached, bound] = [share(scores, distance), share(bounds, distance)];
        return words.captions.base(words.bases(theta), wavelength, distance, reached, bound);
      }
      default:
        return words.caption(query, key, score, pairs.length);
    }
  }

  #table(): (string | number)[][] {
    const { frequencies, pairs, scores, bounds, fading, hands, shiftedHands } = this.shown!;
    if (this.state.turningStep === "one")
      return [
        ["token", "position", "first", "second", "product"],
        ...[hands, ...shiftedHands].flatMap(({ at, query, key, product }) => [
          ["query", at[0], ...query, product],
          ["key", at[1], ...key, product],
        ]),
      ];
    return [
      ["what", "index", "frequency_or_score", "share_or_bound", "fading"],
      ...Array.from(pairs, (share, pair) => ["pair", pair + 1, frequencies[pair]!, share, ""]),
      ...Array.from(scores, (score, distance) => [
        "distance",
        distance,
        score,
        bounds[distance]!,
        fading[distance]!,
      ]),
    ];
  }

  #slider(
    name: "query" | "key" | "both",
    value: number,
    max: number,
    text: string,
    to: (at: number) => number[],
  ) {
    const set = ({ detail }: CustomEvent<number>) => this.change({ turningAt: to(detail) });
    return html`<wf-slider
      slot="controls"
      class=${name}
      .label=${this.say(rotationWords)[name]}
      .value=${value}
      .min=${0}
      .max=${max}
      .text=${text}
      @wf-change=${set}
    ></wf-slider>`;
  }

  /** Shows the steps in a row, and a button for the next one, where the picture stays in view. */
  #steps() {
    const words = this.say(rotationWords);
    const { turningStep: step } = this.state;
    const to = (next: RotationStep) => this.change({ turningStep: next });
    const options = rotationSteps.map((value) => ({ value, text: words.stepNames[value] }));
    return html`<div slot="controls" class="steps">
      <wf-choice
        class="step"
        .label=${words.steps}
        .value=${step}
        .options=${options}
        @wf-change=${({ detail }: CustomEvent<RotationStep>) => to(detail)}
      ></wf-choice>
      <button class="next" @click=${() => to(nextOf(step))}>${words.next[step]}</button>
    </div>`;
  }

  #positionControls() {
    const words = this.say(rotationWords);
    const [query, key] = this.#positions();
    const first = Math.min(query, key);
    const room = farthestPosition - Math.abs(query - key);
    return html`${this.#slider("both", first, room, words.stepsFrom(first), (at) => [
      query + at - first,
      key + at - first,
    ])}
    ${this.#slider("query", query, farthestPosition, words.position(query), (at) => [at, key])}
    ${this.#slider("key", key, farthestPosition, words.position(key), (at) => [query, at])}`;
  }

  #bases() {
    const words = this.say(rotationWords);
    const setBase = ({ detail }: CustomEvent<string>) => this.change({ turningBase: detail });
    const options = bases.map((base) => ({ value: base, text: words.bases(Number(base)) }));
    return html`<wf-choice
      slot="controls"
      class="base"
      .label=${words.base}
      .value=${this.state.turningBase}
      .options=${options}
      @wf-change=${setBase}
    ></wf-choice>`;
  }

  #titleOf(step: RotationStep): string {
    const words = this.say(rotationWords);
    const isAlike = step !== "one" && this.shown && this.shown.theta < 2;
    return isAlike ? words.titleAlike : words.titles[step];
  }

  protected override render() {
    const words = this.say(rotationWords);
    const caption = this.#caption();
    const { shown } = this;
    const { turningStep: step, turningBase } = this.state;
    const isOne = step === "one";
    const title = this.#titleOf(step);
    const takeaway = shown && {
      at: "hands",
      title,
      code: isOne
        ? oneHandCode(shown.query, shown.key)
        : rotationCode(shown.theta, shown.query, shown.key),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    const isBounded = ofBase.includes(step);
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${isOne ? words.noteOne : words.note(headDim / 2, words.bases(Number(turningBase)))}
      .caveat=${isBounded ? words.caveatBound : words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      ${this.#steps()}
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawRotation(shown, step, words)}
      ></wf-scene>
      <span slot="legend" class="query">${words.queryHand}</span>
      <span slot="legend" class="key">${words.keyHand}</span>
      ${step === "base" ? nothing : this.#positionControls()} ${isBounded ? this.#bases() : nothing}
    </wf-frame>`;
  }
}

define("wf-turning-pairs", TurningPairs);
