/**
 * `<wf-word-swap>`: a sentence whose words can be dragged past one another, and its attention map
 * without positions, whose rows and columns move with them. Content of the element is a still
 * picture with the same numbers, shown until the engine has computed them.
 */
import { html, nothing } from "lit";
import { yieldToEvents } from "whereformer/yield";
import { blindScheme, chaseModel } from "../../defaults.js";
import { define } from "../../define.js";
import type { PairAnswer } from "../../engine/both/messages.js";
import { exchange, idsOf } from "../../engine/both/sentences.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { measured } from "../../text/numbers.js";
import { failureText } from "../shared/figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { shadeOf, shareText } from "./shades.js";
import { swapStyles } from "./styles.js";
import { swapWords } from "./words.js";

const size = 3;

/**
 * @csspart heading - The title that the page sets; there is none by default.
 * @csspart words - The words that can be dragged.
 * @csspart map - The attention map.
 * @csspart reading - The caption, with the engine's result.
 * @csspart small - The explanation of a row of the map.
 */
export class WordSwap extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    order: ofState("swapOrder"),
    answer: { state: true },
    held: { state: true },
    take: { state: true },
  };

  static override styles = [...figureStyles, swapStyles];

  /** Order of the words, as their indices in the first order: `2 1 0` exchanges both ends. */
  declare order: readonly number[];
  declare answer:
    | (PairAnswer & { order: readonly number[]; positions: readonly number[]; first: string })
    | undefined;
  /** Index of the token that is being dragged. */
  declare held: number | undefined;
  /** Module for files and code, once it has loaded. */
  declare take: typeof import("./take.js") | undefined;

  #line = new NewestWins("pair");
  #tellAlive!: () => void;
  /** @internal Resolves when the first numbers, or an error, are shown. */
  readonly alive = new Promise<void>((resolve) => {
    this.#tellAlive = resolve;
  });
  #drag: { x: number; stop: AbortController } | undefined;

  /** `positions[i]`: index in the current order of token i in the first order. */
  get positions(): readonly number[] {
    const { swapOrder } = this.state;
    return swapOrder.map((_, token) => swapOrder.indexOf(token));
  }

  /** The answer for the order in view; undefined while it is being computed. */
  get #current() {
    const { answer } = this;
    const isCurrent = answer?.order === this.state.swapOrder && answer.first === this.#tokens[0];
    return isCurrent ? answer : undefined;
  }

  get data() {
    return this.answer && { ...this.answer, values: this.#values() };
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  get #tokens(): readonly string[] {
    return this.say(swapWords).tokens;
  }

  /** The tokens in their current order. */
  #sentence(): string[] {
    return this.state.swapOrder.map((token) => this.#tokens[token]!);
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { positions } = this;
      const { swapOrder } = this.state;
      const first = this.#tokens[0]!;
      const idsA = idsOf(this.#tokens, chaseModel.vocabSize);
      const answer = await this.#line.ask({
        idsA,
        idsB: swapOrder.map((token) => idsA[token]!),
        order: [...positions],
        scheme: blindScheme,
      });
      if (answer) this.answer = { ...answer, order: swapOrder, positions, first };
    });
  }

  /** Shares by token: the engine’s for the order in view, else those of the still picture. */
  #values(): readonly number[] {
    const { answer } = this;
    if (answer && answer.first === this.#tokens[0]) {
      const { positions, mapB } = answer;
      return Array.from({ length: size * size }, (_, at) => {
        const [row, column] = [Math.floor(at / size), at % size];
        return mapB[positions[row]! * size + positions[column]!]!;
      });
    }
    const still = this.querySelectorAll(`.still[lang="${this.words.htmlLang}"] tbody td`);
    return Array.from(still, (cell) => Number(cell.textContent));
  }

  /** Exchanges a token with its neighbour to the left (−1) or right (1). */
  #move(token: number, by: number): boolean {
    const { swapOrder } = this.state;
    const position = swapOrder.indexOf(token);
    if (swapOrder[position + by] === undefined) return false;
    this.change({ swapOrder: exchange(swapOrder, position, position + by) });
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

  /** Exchanges the dragged token with a neighbour once it is past that neighbour's middle. */
  #dragTo(token: number, x: number): void {
    const drag = this.#drag!;
    const by = x < drag.x ? -1 : 1;
    const neighbour = this.positions.indexOf(this.positions[token]! + by);
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

  /** Loads the module for files and code; without it the figure offers neither. */
  async #fetchTake(): Promise<void> {
    // After the numbers are on the screen.
    await new Promise(requestAnimationFrame);
    await yieldToEvents();
    this.take ??= await import("./take.js").catch(() => undefined);
  }

  #takeaway() {
    const { take } = this;
    const answer = this.#current;
    if (!take || !answer) return nothing;
    const ids = idsOf(this.#tokens, chaseModel.vocabSize);
    const sentence = {
      words: this.#sentence(),
      ids: this.state.swapOrder.map((token) => ids[token]!),
      map: [...answer.mapB],
    };
    const takeaway = take.swapTakeaway(this, this.say(swapWords).caption, sentence);
    return html`<wf-takeaway .takeaway=${takeaway}></wf-takeaway>`;
  }

  #said(): string {
    const words = this.say(swapWords);
    const answer = this.#current;
    if (this.failure) return words.failed(failureText(this.failure, this.words));
    const isInOrder = this.positions.every((position, token) => position === token);
    if (isInOrder) return words.invite;
    if (!answer) return words.waiting;
    const sentence = this.#sentence().join(this.words.join.words);
    return words.moved(sentence, measured(answer.largestDifference));
  }

  /**
   * Positions are set as styles by script, because a content security policy may forbid them in
   * markup.
   */
  protected override updated(): void {
    if (this.answer || this.failure) this.#tellAlive();
    if (this.answer && !this.take) void this.#fetchTake();
    const put = (node: HTMLElement, name: string, token: number) =>
      node.style.setProperty(name, String(this.positions[token]));
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-row]"))
      put(node, "--row", Number(node.dataset["row"]));
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-column]"))
      put(node, "--column", Number(node.dataset["column"]));
    this.renderRoot.querySelectorAll<HTMLElement>("button").forEach((button, token) => {
      button.style.order = String(this.positions[token]);
    });
  }

  protected override render() {
    const words = this.say(swapWords);
    const values = this.#values();
    const tokens = this.#tokens;
    const max = Math.max(...values, 0.01);
    return html`<figure aria-label=${words.name}>
      ${this.givenTitle()}
      <div class="words" part="words" role="group" aria-label=${words.name}>
        ${tokens.map(
          (token, index) =>
            html`<button
              class=${this.held === index ? "held" : ""}
              aria-label=${words.word(token, this.positions[index]! + 1, size)}
              @pointerdown=${(event: PointerEvent) => this.#hold(index, event)}
              @keydown=${(event: KeyboardEvent) => this.#key(index, event)}
              >${token}</button
            >`,
        )}
      </div>
      <div class="map" part="map" role="group" aria-label=${words.caption}>
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
            class="s${shadeOf(value / max)}"
            role="img"
            data-row=${row}
            data-column=${column}
            aria-label=${words.cell(tokens[row]!, tokens[column]!, text)}
            >${text}</span
          >`;
        })}
      </div>
      <p part="small">${words.caption}</p>
      <p class="said" part="reading" aria-live="polite">${this.#said()}</p>
      ${this.isCompact ? nothing : html`<div class="take">${this.#takeaway()}</div>`}
    </figure>`;
  }
}

define("wf-word-swap", WordSwap);
