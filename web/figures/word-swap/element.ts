/**
 * `<wf-word-swap>`: two sentences of the same words with arcs of attention, and the bag of words of
 * each. Words of the second can be carried; a switch gives the layer positions. Content of the
 * element is a still picture with the same numbers, shown until the engine has computed them.
 */
import { html, nothing, svg, type TemplateResult } from "lit";
import { yieldToEvents } from "whereformer/yield";
import { blindScheme, chaseModel, sightedScheme } from "../../defaults.js";
import { define } from "../../define.js";
import type { PairAnswer } from "../../engine/both/messages.js";
import { exchange, idsOf } from "../../engine/both/sentences.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { measured } from "../../text/numbers.js";
import { failureText } from "../shared/figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { switchStyles } from "../shared/figure/switch-styles.js";
import { arcHeight, arcsOf, bagPath, slotWidth, tokenOrder, widthOf } from "./arcs.js";
import { shadeOf, shareText } from "./shades.js";
import { swapStyles } from "./styles.js";
import { swapWords } from "./words.js";

/** Maximum difference that rounding in 32-bit arithmetic causes. */
const rounding = 1e-5;
/** Pixels that a pointer may move in a click. */
const clickReach = 5;

/** One of the two sentences: slots of its tokens, and its map in slots, if there is one. */
interface Line {
  name: "a" | "b";
  slots: readonly number[];
  map: readonly number[] | undefined;
}

/**
 * @csspart heading - The title that the page sets; there is none by default.
 * @csspart picture - Both sentences with their arcs and bags.
 * @csspart words - The words that can be carried.
 * @csspart map - The attention map of the second sentence, which is hidden at first.
 * @csspart reading - The caption, with the engine's result.
 * @csspart small - The explanation of the picture.
 */
export class WordSwap extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    order: ofState("swapOrder"),
    scheme: ofState("swapScheme"),
    view: ofState("swapView"),
    answer: { state: true },
    held: { state: true },
    looking: { state: true },
    take: { state: true },
  };

  static override styles = [...figureStyles, switchStyles, swapStyles];

  /**
   * Order of the words in the second sentence, as their indices in the first: `2 1 0` exchanges
   * both ends.
   */
  declare order: readonly number[];
  /** Positional encoding of the layer: `nope` for none, or `rope`. */
  declare scheme: string;
  /** Arcs with bags, or the second sentence's map in numbers. */
  declare view: "arcs" | "numbers";
  declare answer:
    | (PairAnswer & {
        order: readonly number[];
        positions: readonly number[];
        scheme: string;
        first: string;
      })
    | undefined;
  /** Index, among the words that can be carried, of the one that is being carried. */
  declare held: number | undefined;
  /** The token whose arcs are drawn; undefined for the first that can be carried. */
  declare looking: number | undefined;
  /** Module for files and code, once it has loaded. */
  declare take: typeof import("./take.js") | undefined;

  #line = new NewestWins("pair");
  #tellAlive!: () => void;
  /** @internal Resolves when the first numbers, or an error, are shown. */
  readonly alive = new Promise<void>((resolve) => {
    this.#tellAlive = resolve;
  });
  #drag: { x: number; y: number; stop: AbortController } | undefined;
  #falling: typeof import("./fall.js") | undefined;
  #coming: IntersectionObserver | undefined;
  #isFetching = false;

  /** `positions[i]`: index in the current order of word i of those that can be carried. */
  get positions(): readonly number[] {
    const { swapOrder } = this.state;
    return swapOrder.map((_, word) => swapOrder.indexOf(word));
  }

  get #tokens(): readonly string[] {
    return this.say(swapWords).tokens;
  }

  get #carried(): readonly number[] {
    return this.say(swapWords).carried;
  }

  /** `#order[slot]`: the token that stands there in the second sentence. */
  get #order(): readonly number[] {
    return tokenOrder(this.#tokens.length, this.#carried, this.state.swapOrder);
  }

  get #first(): string {
    return this.#tokens[this.#carried[0]!]!;
  }

  /** The answer for the sentences in view; undefined while it is being computed. */
  get #current() {
    const { answer } = this;
    const { swapOrder, swapScheme } = this.state;
    const isCurrent =
      answer?.order === swapOrder && answer.scheme === swapScheme && answer.first === this.#first;
    return isCurrent ? answer : undefined;
  }

  get data() {
    return this.answer && { ...this.answer, values: this.#byToken(this.#maps().b) };
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { positions } = this;
      const { swapOrder, swapScheme: scheme } = this.state;
      const first = this.#first;
      const order = this.#order;
      const idsA = idsOf(this.#tokens, chaseModel.vocabSize);
      const answer = await this.#line.ask({
        idsA,
        idsB: order.map((token) => idsA[token]!),
        order: order.map((_, token) => order.indexOf(token)),
        scheme,
      });
      if (answer) this.answer = { ...answer, order: swapOrder, positions, scheme, first };
    });
  }

  // ------------------------------------------------------------------------------- its numbers

  /**
   * Maps of both sentences in slots: the engine's, else those of the still picture. While the
   * engine computes, the last numbers follow the words.
   */
  #maps(): { a: readonly number[]; b: readonly number[] } {
    const { answer } = this;
    const isKnown = answer?.first === this.#first;
    const order = isKnown
      ? tokenOrder(this.#tokens.length, this.#carried, answer.order)
      : undefined;
    const [a, b] = isKnown ? [[...answer.mapA], [...answer.mapB]] : this.#stillMaps();
    const before = order ?? tokenOrder(this.#tokens.length, this.#carried, [2, 1, 0]);
    const size = before.length;
    const now = this.#order;
    return {
      a: a!,
      b: b!.map((_, at) => {
        const [row, column] = [now[Math.floor(at / size)]!, now[at % size]!];
        return b![before.indexOf(row) * size + before.indexOf(column)]!;
      }),
    };
  }

  #stillMaps(): number[][] {
    const tables = this.querySelectorAll(`.still[lang="${this.words.htmlLang}"] tbody`);
    const maps = Array.from(tables, (table) =>
      Array.from(table.querySelectorAll("td"), (cell) => Number(cell.textContent)),
    );
    return maps.length === 2 ? maps : [[], []];
  }

  /** A map in slots of the second sentence, by tokens. */
  #byToken(map: readonly number[]): readonly number[] {
    const order = this.#order;
    const size = order.length;
    const slots = order.map((_, token) => order.indexOf(token));
    return map.map((_, at) => map[slots[Math.floor(at / size)]! * size + slots[at % size]!]!);
  }

  // ----------------------------------------------------------------------------- words to carry

  /** Exchanges two words by their positions among those that can be carried. */
  #exchange(position: number, other: number): boolean {
    const { swapOrder } = this.state;
    if (swapOrder[other] === undefined || position === other) return false;
    this.change({ swapOrder: exchange(swapOrder, position, other) });
    return true;
  }

  #key(word: number, event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const position = this.positions[word]!;
    if (this.#exchange(position, position + by)) void this.#drop(word);
  }

  #hold(word: number, event: PointerEvent): void {
    if (event.button) return;
    this.#release();
    const stop = new AbortController();
    const { signal } = stop;
    const cell = (event.currentTarget as HTMLElement).parentElement!;
    const { clientX: x, clientY: y } = event;
    this.held = word;
    this.looking = this.#carried[word];
    this.#drag = { x, y, stop };
    const carry = ({ clientX, clientY }: PointerEvent) => {
      cell.style.setProperty("--dx", `${clientX - x}px`);
      cell.style.setProperty("--dy", `${clientY - y}px`);
    };
    const end = (released: PointerEvent) => {
      this.#release();
      for (const name of ["--dx", "--dy"]) cell.style.removeProperty(name);
      const way = Math.hypot(released.clientX - x, released.clientY - y);
      if (released.type === "pointercancel" || way < clickReach) return;
      this.#exchange(this.positions[word]!, this.#nearest(released.clientX));
      void this.#drop(word, [released.clientX - x, released.clientY - y]);
    };
    addEventListener("pointermove", carry, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
  }

  /** Position, among the words that can be carried, of the slot that is nearest to a pointer. */
  #nearest(x: number): number {
    const { left, width } = this.renderRoot.querySelector(".b .row")!.getBoundingClientRect();
    const slot = ((x - left) / width) * this.#tokens.length - 0.5;
    const far = this.#carried.map((one) => Math.abs(one - slot));
    return far.indexOf(Math.min(...far));
  }

  #release(): void {
    this.#drag?.stop.abort();
    this.#drag = undefined;
    this.held = undefined;
  }

  // --------------------------------------------------------------------------- words that fall

  /** Lets a word fall into its bag, from where it stood or where it was let go. */
  async #drop(word: number, [dx, dy]: readonly number[] = [0, 0]): Promise<void> {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const token = this.#carried[word]!;
    const from = this.renderRoot.querySelectorAll(".b .cell")[token]!.getBoundingClientRect();
    await this.updateComplete;
    const to = this.renderRoot.querySelectorAll(".bag.b span")[token];
    if (to)
      this.#falling?.fall(to, new DOMRect(from.x + dx!, from.y + dy!, from.width, from.height));
  }

  #play = (): void => {
    if (this.view === "numbers") this.change({ swapView: "arcs" });
    void this.updateComplete.then(() => this.#falling?.play(this.renderRoot));
  };

  /** Loads the parts for later, and plays once, when the picture is in view. */
  async #fetchRest(): Promise<void> {
    this.#isFetching = true;
    // After the numbers are on the screen.
    await new Promise(requestAnimationFrame);
    await yieldToEvents();
    this.#falling = await import("./fall.js").catch(() => undefined);
    if (this.#falling && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#await();
    this.take ??= await import("./take.js").catch(() => undefined);
  }

  #await(): void {
    this.#coming = new IntersectionObserver(
      (entries) => {
        if (!entries.at(-1)!.isIntersecting) return;
        this.#coming?.disconnect();
        if (this.view === "arcs" && !this.#drag) this.#falling?.play(this.renderRoot);
      },
      { threshold: 0.6 },
    );
    this.#coming.observe(this.renderRoot.querySelector(".stage")!);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#coming?.disconnect();
    this.#release();
  }

  // ------------------------------------------------------------------------------- its picture

  #takeaway() {
    const { take } = this;
    const answer = this.#current;
    if (!take || !answer) return nothing;
    const ids = idsOf(this.#tokens, chaseModel.vocabSize);
    const order = this.#order;
    const sentence = {
      words: order.map((token) => this.#tokens[token]!),
      ids: order.map((token) => ids[token]!),
      map: [...answer.mapB],
      scheme: answer.scheme,
    };
    const takeaway = take.swapTakeaway(this, this.say(swapWords).numbersCaption, sentence);
    return html`<wf-takeaway .takeaway=${takeaway}></wf-takeaway>`;
  }

  #said(): string {
    const words = this.say(swapWords);
    const answer = this.#current;
    if (this.failure) return words.failed(failureText(this.failure, this.words));
    if (!answer) return words.waiting;
    if (this.positions.every((position, word) => position === word)) return words.unmoved;
    const difference = measured(answer.largestDifference);
    return answer.largestDifference > rounding
      ? words.apart(difference)
      : words.alike(this.#tokens[this.#looking]!, difference);
  }

  get #looking(): number {
    return this.looking ?? this.#carried[0]!;
  }

  /**
   * Positions are set as styles by script, because a content security policy may forbid them in
   * markup.
   */
  protected override updated(): void {
    if (this.answer || this.failure) this.#tellAlive();
    if (this.answer && !this.#isFetching) void this.#fetchRest();
    const order = this.#order;
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-slot]"))
      node.style.setProperty("--slot", node.dataset["slot"]!);
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-row]"))
      node.style.setProperty("--row", String(order.indexOf(Number(node.dataset["row"]))));
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>("[data-column]"))
      node.style.setProperty("--column", String(order.indexOf(Number(node.dataset["column"]))));
    for (const node of this.renderRoot.querySelectorAll<SVGElement>("[data-width]"))
      node.style.strokeWidth = `${node.dataset["width"]}px`;
    const size = String(order.length);
    this.renderRoot.querySelector<HTMLElement>("figure")?.style.setProperty("--size", size);
  }

  /** Share of the looking token to another one, in a sentence. */
  #shareOf({ slots, map }: Line, token: number): number | undefined {
    return map?.[slots[this.#looking]! * slots.length + slots[token]!];
  }

  #word(line: Line, token: number): TemplateResult {
    const words = this.say(swapWords);
    const text = this.#tokens[token]!;
    const slot = line.slots[token]!;
    const index = this.#carried.indexOf(token);
    const position = this.state.swapScheme === blindScheme ? nothing : html`<sub>${slot}</sub>`;
    const look = () => {
      if (!this.#drag) this.looking = token;
    };
    if (line.name === "a" || index < 0)
      return html`<span class="word" @pointerenter=${look} @click=${look}
        >${text}${position}</span
      >`;
    return html`<button
      class="word"
      aria-label=${words.word(text, slot + 1, line.slots.length)}
      @pointerenter=${look}
      @focus=${look}
      @pointerdown=${(event: PointerEvent) => this.#hold(index, event)}
      @keydown=${(event: KeyboardEvent) => this.#key(index, event)}
      >${text}${position}</button
    >`;
  }

  /** One sentence: its arcs, its words, and under each its share. */
  #sentence(line: Line, other: Line): TemplateResult {
    const words = this.say(swapWords);
    const { slots, map } = line;
    const count = slots.length;
    const looker = slots[this.#looking]!;
    const tokens = this.#tokens;
    const shares = tokens.map((_, token) => this.#shareOf(line, token));
    const isNew = (token: number) => {
      const [here, there] = [shares[token], this.#shareOf(other, token)];
      return here !== undefined && there !== undefined && shareText(here) !== shareText(there);
    };
    const spoken = slots
      .map((_, slot) => slots.indexOf(slot))
      .map((token) => words.share(tokens[token]!, shareText(shares[token] ?? 0)))
      .join(words.comma);
    const arcs = map ? arcsOf(map, count) : [];
    const drawn = [
      ...arcs.filter(({ from }) => from !== looker),
      ...arcs.filter(({ from }) => from === looker),
    ];
    return html`<div class="sentence ${line.name}">
      <svg
        viewBox="0 0 ${count * slotWidth} ${arcHeight}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${words.looks(tokens[this.#looking]!, spoken)}
      >
        ${drawn.map(({ from, to, share, d }) => {
          const kind = from !== looker ? "" : isNew(slots.indexOf(to)) ? "look new" : "look";
          return svg`<path class=${kind} d=${d} data-width=${widthOf(share)} />`;
        })}
      </svg>
      <div class="row" part=${line.name === "b" ? "words" : nothing} role="group">
        ${tokens.map((_, token) => {
          const share = shares[token];
          const look = token === this.#looking ? "looks" : "";
          const isHeld = line.name === "b" && this.#carried[this.held ?? -1] === token;
          return html`<div class="cell ${look} ${isHeld ? "held" : ""}" data-slot=${slots[token]!}
            >${this.#word(line, token)}<span
              class="share ${isNew(token) ? "new" : ""}"
              aria-hidden="true"
              >${share === undefined ? "" : shareText(share)}</span
            ></div
          >`;
        })}
      </div>
    </div>`;
  }

  #bag({ name, slots }: Line, other: Line): TemplateResult {
    const isTold = this.state.swapScheme !== blindScheme;
    const tokens = this.#tokens;
    return html`<div class="bag ${name}">
      <svg viewBox="0 0 200 110" aria-hidden="true"><path d=${bagPath} /></svg>
      ${tokens.map((token, at) => {
        const isNew = isTold && slots[at] !== other.slots[at];
        return html`<span class=${isNew ? "new" : ""}
          >${token}${isTold ? html`<sub>${slots[at]}</sub>` : nothing}</span
        >`;
      })}
    </div>`;
  }

  #stage(): TemplateResult {
    const words = this.say(swapWords);
    const maps = this.#maps();
    const order = this.#order;
    const a: Line = { name: "a", slots: order.map((_, token) => token), map: maps.a };
    const b: Line = {
      name: "b",
      slots: order.map((_, token) => order.indexOf(token)),
      map: maps.b,
    };
    const isSame =
      this.state.swapScheme === blindScheme || order.every((token, slot) => token === slot);
    return html`<div
      class="stage"
      part="picture"
      role="group"
      aria-label=${words.name}
      ?hidden=${this.view === "numbers"}
    >
      ${this.#sentence(a, b)} ${this.#sentence(b, a)}
      <div class="bags">
        ${this.#bag(a, b)}
        <p class="sign ${isSame ? "" : "new"}"
          ><b>${isSame ? "=" : "≠"}</b>${isSame ? words.same : words.differ}</p
        >
        ${this.#bag(b, a)}
      </div>
    </div>`;
  }

  /** The second sentence's map, whose rows and columns move with the words. */
  #map(): TemplateResult {
    const words = this.say(swapWords);
    const tokens = this.#tokens;
    const size = tokens.length;
    return html`<div
      class="map"
      part="map"
      role="group"
      aria-label=${words.numbersCaption}
      ?hidden=${this.view !== "numbers"}
    >
      ${tokens.map(
        (token, at) => html`<span class="key" data-column=${at} aria-hidden="true">${token}</span>`,
      )}
      ${tokens.map(
        (token, at) => html`<span class="query" data-row=${at} aria-hidden="true">${token}</span>`,
      )}
      ${this.#byToken(this.#maps().b).map((value, at) => {
        const [row, column] = [Math.floor(at / size), at % size];
        const text = shareText(value);
        return html`<span
          class="s${shadeOf(value)}"
          role="img"
          data-row=${row}
          data-column=${column}
          aria-label=${words.cell(tokens[row]!, tokens[column]!, text)}
          >${text}</span
        >`;
      })}
    </div>`;
  }

  #controls(): TemplateResult {
    const words = this.say(swapWords);
    const { swapScheme, swapView } = this.state;
    const isTold = swapScheme !== blindScheme;
    return html`<div class="controls">
      <button
        class="switch"
        role="switch"
        aria-checked=${isTold}
        @click=${() => this.change({ swapScheme: isTold ? blindScheme : sightedScheme })}
        >${words.tell}</button
      >
      <button
        class="numbers"
        aria-pressed=${swapView === "numbers"}
        @click=${() => this.change({ swapView: swapView === "numbers" ? "arcs" : "numbers" })}
        >${words.numbers}</button
      >
      <button class="replay" @click=${this.#play}>${words.replay}</button>
    </div>`;
  }

  /** The exports, in the essay folded. */
  #take(): TemplateResult {
    return this.isBrief
      ? html`<details class="take"
          ><summary>${this.say(swapWords).take}</summary>${this.#takeaway()}</details
        >`
      : html`<div class="take">${this.#takeaway()}</div>`;
  }

  protected override render() {
    const words = this.say(swapWords);
    const caption =
      this.view === "numbers" ? words.numbersCaption : words.caption(this.#tokens[this.#looking]!);
    return html`<figure aria-label=${words.name}>
      ${this.givenTitle()} ${this.#stage()} ${this.#map()}
      ${this.isCompact ? nothing : this.#controls()}
      <p class="said" part="reading" aria-live="polite">${this.#said()}</p>
      <p part="small">${caption}</p>
      ${this.isCompact ? nothing : this.#take()}
    </figure>`;
  }
}

define("wf-word-swap", WordSwap);
