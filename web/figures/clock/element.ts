/**
 * `<wf-clock>`: a dial for each pair of a head, with the hands of query and key; the angles between
 * them stay while time runs.
 */
import { html, nothing, type PropertyValues } from "lit";
import type { CellEventDetail } from "../../controls/scene-view.js";
import { clockHead } from "../../defaults.js";
import { define } from "../../define.js";
import { halfway } from "../../drawing/dial.js";
import { engine } from "../../engine/page/client.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { playStyles } from "../shared/figure/play-styles.js";
import { Run } from "../shared/figure/run.js";
import { ofState } from "../shared/figure/state-properties.js";
import { clockCode } from "./code.js";
import { centreOf, type DialField, pairNumbers, type Shown } from "./dials.js";
import type { ClockAnswer } from "./messages.js";
import { drawClock } from "./picture.js";
import { clockStyles } from "./styles.js";
import { clockWords } from "./words.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

const { farthest } = clockHead;
const within = (position: number): number => Math.min(farthest, Math.max(0, Math.round(position)));

/** Positions in a second. */
const speed = 6;

type Hand = "query" | "key";
const hands: readonly Hand[] = ["query", "key"];

/** Positions by key, for a hand that has the focus. */
const strides: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** A hand while it is dragged: the angle gone since it was grabbed. */
interface Grip {
  hand: Hand;
  from: number;
  angle: number;
  gone: number;
}

export class Clock extends FigureElement {
  static override lead = ".row";
  static override properties = {
    ...FigureElement.properties,
    query: ofState("clockAt", 0),
    key: ofState("clockAt", 1),
    pair: ofState("clockPair"),
    answer: { state: true },
    gone: { state: true },
  };

  static override styles = [...figureStyles, playStyles, clockStyles];

  /** Position of the query, 0 to 200. */
  declare query: number;
  /** Position of the key, 0 to 200. */
  declare key: number;
  /** The chosen pair of channels, from 0; 0 is the fastest. */
  declare pair: number;
  declare answer: ClockAnswer | undefined;
  /** Positions that both have gone while time runs. */
  declare gone: number;

  #run = new Run();
  #field: DialField | undefined;
  #grip: Grip | undefined;
  #isAsking = false;
  #leaving: IntersectionObserver | undefined;

  constructor() {
    super();
    this.gone = 0;
  }

  get data() {
    const { answer } = this;
    if (!answer) return undefined;
    const { query, key, pair } = this.#shown!;
    return { query, key, pair, isRunning: this.#run.isOn, ...answer };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A simulated browser has none.
    if (!globalThis.IntersectionObserver) return;
    this.#leaving = new IntersectionObserver((entries) => {
      if (!entries.at(-1)!.isIntersecting) this.#stop();
    });
    this.#leaving.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leaving?.disconnect();
    this.#run.stop();
    this.gone = 0;
  }

  protected stateChanged(): void {
    if (!this.answer && !this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    await this.attempt(async () => {
      this.answer = await engine.ask("clock", {});
    });
    this.#isAsking = false;
  }

  get #positions(): Record<Hand, number> {
    const [query = 0, key = 0] = this.state.clockAt;
    return { query: within(query), key: within(key) };
  }

  get #shown(): Shown | undefined {
    const { answer, gone } = this;
    if (!answer) return undefined;
    const { query, key } = this.#positions;
    return { answer, query: query + gone, key: key + gone, pair: this.state.clockPair };
  }

  #move(positions: Partial<Record<Hand, number>>): void {
    const { query, key } = { ...this.#positions, ...positions };
    this.change({ clockAt: [within(query), within(key)] });
  }

  // -------------------------------------------------------------------------- time that runs

  /** Positions that both can still go. */
  get #left(): number {
    return farthest - Math.max(...Object.values(this.#positions));
  }

  #goBy(steps: number): void {
    const { query, key } = this.#positions;
    this.#move({ query: query + steps, key: key + steps });
  }

  /** Ends the run where both stand. */
  #stop = (): void => {
    if (!this.#run.isOn) return;
    this.#run.stop();
    const gone = Math.min(Math.round(this.gone), this.#left);
    this.gone = 0;
    this.#goBy(gone);
    this.requestUpdate();
  };

  #play = (): void => {
    if (this.#run.isOn) {
      this.#stop();
      return;
    }
    // From the end time starts again.
    if (!this.#left) this.#goBy(-Math.min(...Object.values(this.#positions)));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#goBy(Math.min(1, this.#left));
      return;
    }
    const show = (gone: number) => {
      this.gone = gone;
    };
    this.#run.start(this.#left, speed, show, this.#stop);
    this.requestUpdate();
  };

  #onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.#run.isOn) return;
    event.preventDefault();
    this.#stop();
  };

  // -------------------------------------------------------------------------- hands to grab

  /** The angle of a pointer from the centre of the chosen dial. */
  #angleOf(event: MouseEvent): number {
    const { left, top } = this.scene()!.getBoundingClientRect();
    const { x, y } = centreOf(this.#field!, this.state.clockPair);
    return Math.atan2(event.clientX - left - x, top + y - event.clientY);
  }

  #grab(hand: Hand, event: PointerEvent): void {
    if (event.button) return;
    this.#stop();
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#grip = {
      hand,
      from: this.#positions[hand],
      angle: this.#angleOf(event),
      gone: 0,
    };
  }

  #drag = (event: PointerEvent): void => {
    const grip = this.#grip;
    if (!grip || !this.answer) return;
    const angle = this.#angleOf(event);
    grip.gone += halfway(angle - grip.angle);
    grip.angle = angle;
    const rate = this.answer.frequencies[this.state.clockPair]!;
    this.#move({ [grip.hand]: grip.from + grip.gone / rate });
  };

  #release = (): void => {
    this.#grip = undefined;
  };

  #stride(hand: Hand, event: KeyboardEvent): void {
    const by = strides[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#stop();
    this.#move({ [hand]: this.#positions[hand] + by });
  }

  #onCell = ({ detail }: CustomEvent<CellEventDetail>): void => {
    if (!detail.chosen || !this.#field) return;
    this.change({ clockPair: detail.row * this.#field.columns + detail.column });
  };

  #setField = (field: DialField): void => {
    this.#field = field;
    this.#moveHandles();
  };

  /** Puts the handles over the ends of the chosen hands. */
  #moveHandles(): void {
    const shown = this.#shown;
    if (!shown || !this.#field) return;
    const { x, y } = centreOf(this.#field, shown.pair);
    const { radius } = this.#field;
    for (const hand of hands) {
      const handle = this.renderRoot.querySelector<HTMLElement>(`.handle.${hand}`);
      if (!handle) continue;
      const angle = shown[hand] * shown.answer.frequencies[shown.pair]!;
      handle.style.left = `${x + radius * Math.sin(angle)}px`;
      handle.style.top = `${y - radius * Math.cos(angle)}px`;
    }
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#moveHandles();
  }

  // -------------------------------------------------------------------------- parts

  #handle(hand: Hand) {
    const words = this.say(clockWords);
    const position = this.#positions[hand];
    return html`<div
      class="handle ${hand}"
      role="slider"
      tabindex="0"
      aria-label=${words.handle[hand]}
      aria-valuemin="0"
      aria-valuemax=${farthest}
      aria-valuenow=${position}
      aria-valuetext=${words.position(position, this.state.clockPair)}
      @pointerdown=${(event: PointerEvent) => this.#grab(hand, event)}
      @pointermove=${this.#drag}
      @pointerup=${this.#release}
      @pointercancel=${this.#release}
      @keydown=${(event: KeyboardEvent) => this.#stride(hand, event)}
    ></div>`;
  }

  #slider(hand: Hand) {
    const words = this.say(clockWords);
    const position = this.#positions[hand];
    return html`<wf-slider
      slot="controls"
      class=${hand}
      .label=${words[hand]}
      .value=${position}
      .min=${0}
      .max=${farthest}
      .text=${String(position)}
      @wf-change=${({ detail }: CustomEvent<number>) => this.#move({ [hand]: detail })}
    ></wf-slider>`;
  }

  #controls() {
    const words = this.say(clockWords);
    const { query, key } = this.#positions;
    const first = Math.min(query, key);
    const gone = Math.round(this.gone);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const setBoth = ({ detail }: CustomEvent<number>) => {
      this.#stop();
      this.#goBy(detail - Math.min(...Object.values(this.#positions)));
    };
    return html`<div slot="controls" class="row"
        ><wf-slider
          class="both"
          .label=${words.both}
          .value=${first + gone}
          .min=${0}
          .max=${farthest - Math.abs(query - key)}
          .text=${words.bothText(query + gone, key + gone)}
          @wf-change=${setBoth}
        ></wf-slider
        ><button class="play" @click=${this.#play}
          >${this.#run.isOn ? words.stop : isStill ? words.step : words.play}</button
        ></div
      >
      ${hands.map((hand) => this.#slider(hand))}`;
  }

  #caption(shown: Shown): string {
    const { answer, pair } = shown;
    const [query, key] = [Math.round(shown.query), Math.round(shown.key)];
    return this.say(clockWords).caption({
      query,
      key,
      pair,
      pairs: answer.frequencies.length,
      score: answer.scores[Math.abs(query - key)]!,
      ...pairNumbers(shown, pair),
    });
  }

  #rows(shown: Shown): (string | number)[][] {
    const pairs = Array.from(shown.answer.frequencies, (_, pair) => pairNumbers(shown, pair));
    return [
      ["pair", "tokens_for_a_turn", "degrees_between", "adds"],
      ...pairs.map(({ wavelength, between, share }, pair) => [
        pair + 1,
        wavelength,
        between,
        share,
      ]),
    ];
  }

  protected override render() {
    const words = this.say(clockWords);
    const shown = this.#shown;
    const { query, key } = this.#positions;
    const caption = shown ? this.#caption(shown) : "";
    const title = words.title(Math.abs(query - key));
    const takeaway = shown && {
      at: "all-hands",
      title,
      code: clockCode(query, key),
      table: () => this.#rows(shown),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note(clockHead.headDim / 2)}
      .caveat=${words.caveat}
      .isQuiet=${this.#run.isOn}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @keydown=${this.#onKey}
      @wf-again=${() => this.#ask()}
    >
      <div class="clock">
        <wf-scene
          .label=${`${words.name}. ${caption}`}
          .hint=${this.words.keys}
          .draw=${drawClock(shown, words, this.#setField)}
          @wf-cell=${this.#onCell}
        ></wf-scene>
        ${shown ? hands.map((hand) => this.#handle(hand)) : nothing}
      </div>
      <span slot="legend" class="query">${words.queryHand}</span>
      <span slot="legend" class="key">${words.keyHand}</span>
      <span slot="legend" class="way">${words.way}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-clock", Clock);
