/**
 * `<wf-word-swap>`: a sentence whose words are dragged past one another, and its attention map
 * without positions, whose rows and columns go with them. What stands in the element before is a
 * still picture of it, with the same numbers; they are shown until the engine has computed its own.
 */
import { html } from "lit";
import { blindScheme, chaseModel } from "../../defaults.js";
import type { PairAnswer } from "../../engine/both/messages.js";
import { exchange, idsOf } from "../../engine/both/sentences.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { measured } from "../../text/numbers.js";
import { causeOf } from "../shared/figure/failure-sentence.js";
import { FigureElement, insideStyles } from "../shared/figure/figure-element.js";
import { shadeOf, shareText } from "./shades.js";
import { swapStyles } from "./styles.js";
import { swapWords } from "./words.js";

const size = 3;
const inOrder = [0, 1, 2];

export class WordSwap extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    places: { state: true },
    answer: { state: true },
    held: { state: true },
  };

  static override styles = [...insideStyles, swapStyles];

  /** `places[i]`: where token i of the first order stands. */
  declare places: readonly number[];
  declare answer: (PairAnswer & { places: readonly number[]; first: string }) | undefined;
  /** The token that is dragged. */
  declare held: number | undefined;

  #line = new NewestWins("pair");
  #tellAlive!: () => void;
  /** @internal Kept when it has its first numbers, or has said why not. */
  readonly alive = new Promise<void>((resolve) => {
    this.#tellAlive = resolve;
  });
  #drag: { x: number; stop: AbortController } | undefined;

  constructor() {
    super();
    this.places = inOrder;
  }

  get data() {
    return this.answer && { ...this.answer, values: this.#values() };
  }

  protected get watched() {
    return [] as const;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  get #tokens(): readonly string[] {
    return this.say(swapWords).tokens;
  }

  /** Tokens as they stand. */
  #sentence(): string[] {
    return this.#tokens.map((_, place) => this.#tokens[this.places.indexOf(place)]!);
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { places } = this;
      const first = this.#tokens[0]!;
      const answer = await this.#line.ask({
        idsA: idsOf(this.#tokens, chaseModel.vocabSize),
        idsB: idsOf(this.#tokens, chaseModel.vocabSize).map(
          (_, place, ids) => ids[places.indexOf(place)]!,
        ),
        order: [...places],
        scheme: blindScheme,
      });
      if (answer) this.answer = { ...answer, places, first };
    });
  }

  /** Shares by token: the engine’s for the order in view, else those of the still picture. */
  #values(): readonly number[] {
    const { answer } = this;
    if (answer && answer.first === this.#tokens[0]) {
      const { places, mapB } = answer;
      return Array.from({ length: size * size }, (_, at) => {
        const [row, column] = [Math.floor(at / size), at % size];
        return mapB[places[row]! * size + places[column]!]!;
      });
    }
    const still = this.querySelectorAll(`.still[lang="${this.words.htmlLang}"] tbody td`);
    return Array.from(still, (cell) => Number(cell.textContent));
  }

  /** Exchanges a token with its neighbour to the left (−1) or right (1). */
  #move(token: number, by: number): boolean {
    const place = this.places[token]!;
    const neighbour = this.places.indexOf(place + by);
    if (neighbour < 0) return false;
    this.places = exchange(this.places, token, neighbour);
    void this.#ask();
    return true;
  }

  #key(token: number, event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#move(token, by);
  }

  #hold(token: number, { clientX }: PointerEvent): void {
    this.#release();
    const stop = new AbortController();
    const { signal } = stop;
    this.held = token;
    this.#drag = { x: clientX, stop };
    addEventListener("pointermove", (event) => this.#dragTo(token, event.clientX), { signal });
    for (const end of ["pointerup", "pointercancel"])
      addEventListener(end, () => this.#release(), { signal });
  }

  /** Past the middle of a neighbour the two change places. */
  #dragTo(token: number, x: number): void {
    const drag = this.#drag!;
    const by = x < drag.x ? -1 : 1;
    const neighbour = this.places.indexOf(this.places[token]! + by);
    const button = this.renderRoot.querySelectorAll("button")[neighbour];
    if (!button) return;
    const { left, width } = button.getBoundingClientRect();
    if (by * (x - (left + width / 2)) < 0 || !this.#move(token, by)) return;
    drag.x = x;
  }

  #release(): void {
    this.#drag?.stop.abort();
    this.#drag = undefined;
    this.held = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#release();
  }

  #said(): string {
    const words = this.say(swapWords);
    const { answer } = this;
    if (this.failure) return words.failed(causeOf(this.failure, this.words));
    const isInOrder = this.places.every((place, token) => place === token);
    if (isInOrder) return words.invite;
    if (answer?.places !== this.places || answer.first !== this.#tokens[0]) return words.waiting;
    const sentence = this.#sentence().join(this.words.join.words);
    return words.moved(sentence, measured(answer.largestDifference));
  }

  /** Places are styles of the cells' own: a policy may forbid them in the markup. */
  protected override updated(): void {
    if (this.answer || this.failure) this.#tellAlive();
    const put = (node: HTMLElement, name: string, token: number) =>
      node.style.setProperty(name, String(this.places[token]));
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-row]"))
      put(node, "--row", Number(node.dataset["row"]));
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-column]"))
      put(node, "--column", Number(node.dataset["column"]));
    this.renderRoot.querySelectorAll<HTMLElement>("button").forEach((button, token) => {
      button.style.order = String(this.places[token]);
    });
  }

  protected override render() {
    const words = this.say(swapWords);
    const values = this.#values();
    const tokens = this.#tokens;
    const most = Math.max(...values, 0.01);
    return html`<figure aria-label=${words.name}>
      <div class="words" role="group" aria-label=${words.name}>
        ${tokens.map(
          (token, index) => html`<button
            class=${this.held === index ? "held" : ""}
            aria-label=${words.word(token, this.places[index]! + 1, size)}
            @pointerdown=${(event: PointerEvent) => this.#hold(index, event)}
            @keydown=${(event: KeyboardEvent) => this.#key(index, event)}
            >${token}</button
          >`,
        )}
      </div>
      <div class="map" role="group" aria-label=${words.caption}>
        ${tokens.map(
          (token, at) =>
            html`<span class="key" data-column=${at} aria-hidden="true">${token}</span>`,
        )}
        ${tokens.map(
          (token, at) =>
            html`<span class="query" data-row=${at} aria-hidden="true">${token}</span>`,
        )}
        ${values.map((value, at) => {
          const [row, column] = [Math.floor(at / size), at % size];
          const text = shareText(value);
          return html`<span
            class="s${shadeOf(value / most)}"
            role="img"
            data-row=${row}
            data-column=${column}
            aria-label=${words.cell(tokens[row]!, tokens[column]!, text)}
            >${text}</span
          >`;
        })}
      </div>
      <p>${words.caption}</p>
      <p class="said" aria-live="polite">${this.#said()}</p>
    </figure>`;
  }
}

customElements.define("wf-word-swap", WordSwap);
