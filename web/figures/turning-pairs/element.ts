/** `<wf-turning-pairs>`: a query and a key as clock hands; the score reads the angles between. */
import { html } from "lit";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import { turnedHead } from "../../defaults.js";
import type { TurningAnswer } from "../../engine/both/rotation-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/own-state.js";
import { turningCode } from "./code.js";
import { drawTurning } from "./picture.js";
import { turningWords } from "./words.js";
import "../shared/figure/frame.js";

const { bases, farthestPosition } = turnedHead;

export class TurningPairs extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    query: ofState("turningAt", 0),
    key: ofState("turningAt", 1),
    base: ofState("turningBase"),
    shown: { state: true },
  };

  /** Position of the query. */
  declare query: number;
  /** Position of the key. */
  declare key: number;
  /** Base of the frequencies; `1.0001` turns all pairs alike. */
  declare base: string;
  declare shown: TurningAnswer | undefined;
  #line = new NewestWins("turning");

  get data() {
    return this.shown;
  }

  protected get watched() {
    return ["turningAt", "turningBase"] as const;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  /** Positions of query and key, within their sliders. */
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

  #reading(): string {
    if (!this.shown) return "";
    const { theta, query, key, score, pairs } = this.shown;
    const words = this.say(turningWords);
    const say = theta < 2 ? words.readingAlike : words.reading;
    return say(query, key, score, pairs.length);
  }

  #table(): (string | number)[][] {
    const { frequencies, pairs, scores, bounds, fading } = this.shown!;
    return [
      ["what", "index", "frequency_or_score", "share_or_bound", "fading"],
      ...Array.from(pairs, (share, pair) => ["pair", pair + 1, frequencies[pair]!, share, ""]),
      ...Array.from(scores, (score, distance) => [
        ...["distance", distance, score, bounds[distance]!, fading[distance]!],
      ]),
    ];
  }

  #slider(label: string, value: number, most: number, text: string, to: (at: number) => number[]) {
    const set = ({ detail }: CustomEvent<number>) => this.change({ turningAt: to(detail) });
    return html`<wf-slider
      slot="controls"
      .label=${label}
      .value=${value}
      .min=${0}
      .max=${most}
      .text=${text}
      @wf-change=${set}
    ></wf-slider>`;
  }

  #controls() {
    const words = this.say(turningWords);
    const [query, key] = this.#positions();
    const first = Math.min(query, key);
    const room = farthestPosition - Math.abs(query - key);
    const setBase = ({ detail }: CustomEvent<string>) => this.change({ turningBase: detail });
    const options = bases.map((base) => ({ value: base, text: words.bases(Number(base)) }));
    return html`${this.#slider(
      words.query,
      query,
      farthestPosition,
      words.position(query),
      (at) => [at, key],
    )}
    ${this.#slider(words.key, key, farthestPosition, words.position(key), (at) => [query, at])}
    ${this.#slider(words.both, first, room, words.steps(first), (at) => [
      query + at - first,
      key + at - first,
    ])}
      <wf-choice
        slot="controls"
        class="base"
        .label=${words.base}
        .value=${this.state.turningBase}
        .options=${options}
        @wf-change=${setBase}
      ></wf-choice>`;
  }

  protected override render() {
    const words = this.say(turningWords);
    const reading = this.#reading();
    const { shown } = this;
    const title = shown && shown.theta < 2 ? words.titleAlike : words.title;
    const takeaway = shown && {
      at: "angle",
      title,
      code: turningCode(shown.theta, shown.query, shown.key),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .reading=${reading}
      .waiting=${this.words.waiting}
      .note=${words.note(turnedHead.headDim / 2)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${reading}`}
        .hint=${this.words.keys}
        .draw=${drawTurning(shown, words)}
      ></wf-scene>
      <span slot="legend" class="query">${words.queryHand}</span>
      <span slot="legend" class="key">${words.keyHand}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

customElements.define("wf-turning-pairs", TurningPairs);
