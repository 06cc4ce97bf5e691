/**
 * What the elements for any page share: each draws numbers of one's own, from a property or an
 * address, or those of a call of the engine that its attributes describe.
 */

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { numbered } from "../../../controls/choice.js";
import type { CellEventDetail, Draw } from "../../../controls/scene-view.js";
import type { Failure } from "../../../engine/both/failure.js";
import { type Part, page } from "../../../state.js";
import { belowStyles } from "../figure/below-styles.js";
import { type Causes, failureSentence, isNamed } from "../figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../figure/figure-element.js";
import { sameParts } from "../figure/memo.js";
import { address, ofKind } from "../given/kinds.js";
import { numberTable } from "../tables/number-table.js";
import { foldedTable, type PlainTable } from "../tables/plain-table.js";
import type { Takeaway } from "../taken/takeaway.js";
import { nameOfScheme } from "../trained/scheme-name.js";
import { type OwnWords, ownWords } from "./own-words.js";
import "../../../controls/choice.js";
import "../../../controls/scene-view.js";
import "../../../controls/slider.js";
import "../figure/frame.js";

/** What stands around the picture. */
export interface Framing {
  name: string;
  title: string;
  reading: string;
  note?: string;
  caveat: string;
  takeaway?: Takeaway | undefined;
  /** Said of each cell: the sentence below follows it and is not spoken too. */
  isQuiet?: boolean;
  inside: unknown;
  around?: unknown;
  table?: PlainTable | undefined;
}

/** What an element for any page can get its numbers from. */
export interface Origins {
  /** Names of the properties that hold numbers of one's own, beside `src`. */
  own: readonly string[];
  /** Names of those that ask the engine. */
  asks: readonly string[];
  /** What it asks, when it is told nothing, takes trained models or their tokenizer. */
  readsModels: boolean;
  hasFile?: boolean;
}

/** A cell of a scene, or of a map to zoom into, which has no grid. */
export type PickedCell = Omit<CellEventDetail, "grid"> & { grid?: string };

/** A row of a table of numbers by the names in its first one; undefined where there is none. */
export function rowByName(
  [names, ...rows]: readonly (string | number)[][],
  row: number,
): Record<string, unknown> | undefined {
  const found = rows[row];
  return found && Object.fromEntries(names!.map((name, at) => [name, found[at]]));
}

/**
 * @fires {CustomEvent<Record<string, unknown>>} wf-pick - The reader has clicked a cell, a bar or a
 *   point of a line, or walked to it by key: `detail` has its place and its numbers by name, as
 *   the figure's file of data calls them.
 */
export abstract class OwnFigure<Shown> extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    src: ofKind(address),
    shown: { state: true },
    isWaiting: { state: true },
  };
  static override styles = [
    ...figureStyles,
    numberTable,
    belowStyles,
    css`
      .refused {
        padding: 1.2rem 0;
        border-block: 1px solid var(--wf-hair);
      }

      .heads-name {
        margin: 0 0 0.4rem;
        color: var(--wf-soft);
        font-size: calc(13 * var(--wf-px, 1px));
      }

      .refused p {
        margin: 0.3em 0 0;
      }
    `,
  ];

  /** Address of a file of numbers of one's own, seen from the document. */
  declare src: string | undefined;
  declare shown: Shown | undefined;
  declare isWaiting: boolean;
  /** Ends what is on its way when the element leaves the page. */
  #gone = new AbortController();
  #asked: readonly unknown[] = [];
  #round = 0;

  get data(): Shown | undefined {
    return this.shown;
  }

  protected get watched(): readonly Part[] {
    return [];
  }

  /** Everything that the picture depends on: when none of it changed, nothing is asked. */
  protected abstract get wish(): readonly unknown[];
  /** The numbers; undefined where a newer question has overtaken this one. */
  protected abstract read(signal: AbortSignal): Promise<Shown | undefined>;

  /** What is told of a cell that the reader picks; undefined where it stands for no number. */
  protected abstract picked(cell: PickedCell): Record<string, unknown> | undefined;

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener("wf-cell", (event) => {
      const cell = (event as CustomEvent<PickedCell>).detail;
      const detail = cell.chosen ? this.picked(cell) : undefined;
      if (detail)
        this.dispatchEvent(new CustomEvent("wf-pick", { detail, bubbles: true, composed: true }));
    });
    return root;
  }

  /** What is said, by a failure's code, where the attributes or numbers are at fault. */
  protected get refusals(): Causes {
    return this.own.causes;
  }

  protected get own(): OwnWords {
    return this.say(ownWords);
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  override connectedCallback(): void {
    this.#gone = new AbortController();
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gone.abort();
    this.#asked = [];
  }

  protected override willUpdate(_changed: PropertyValues): void {
    if (this.isAwake && this.isConnected) void this.#ask();
  }

  /** Where its numbers can come from. */
  protected get origins(): Origins {
    return { own: [], asks: [], readsModels: false };
  }

  /**
   * Numbers of one's own are still to come, as in every framework's first rendering: what was given
   * an absent list waits, unless it is asked for something else; what reads trained models waits
   * for that too, since a page need not have any.
   */
  get #isAwaiting(): boolean {
    const { own, asks, readsModels, hasFile } = this.origins;
    const isAsked = [...own, "src", ...asks].some((name) => this.given.has(name));
    if (page.ownsAddress || hasFile || isAsked) return false;
    return readsModels || own.some((name) => this.given.awaits(name));
  }

  async #ask(): Promise<void> {
    this.isWaiting = this.#isAwaiting;
    if (this.isWaiting) {
      this.#asked = [];
      this.#round++;
      this.shown = undefined;
      if (this.failure) await this.attempt(async () => {});
      return;
    }
    const { wish } = this;
    if (this.#asked.length && sameParts(this.#asked, wish)) return;
    this.#asked = wish;
    const round = ++this.#round;
    const { signal } = this.#gone;
    try {
      const shown = await this.read(signal);
      if (!shown || round !== this.#round) return;
      this.shown = shown;
      await this.attempt(async () => {});
    } catch (reason) {
      if (round === this.#round && !signal.aborted)
        await this.attempt(() => Promise.reject(reason));
    }
  }

  /** What a scheme is called; its words are fetched where they have not come. */
  protected schemeName(id: string): string {
    this.fetchNames();
    return nameOfScheme(id, this.state.language);
  }

  protected again = (): void => {
    this.#asked = [];
    this.failure = undefined;
    void this.#ask();
  };

  /** What the reader has turned: properties and their values. Tells the host of it. */
  protected turn(change: Record<string, unknown>): void {
    Object.assign(this, change);
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: change, bubbles: true, composed: true }),
    );
  }

  // -------------------------------------------------------------------------- parts

  /** A number between two others. */
  protected slider(
    name: string,
    label: string,
    value: number,
    most: number,
    text: string,
    least = 0,
  ) {
    const set = ({ detail }: CustomEvent<number>) => this.turn({ [name]: detail });
    return html`<wf-slider
      slot="controls"
      class=${name}
      .label=${label}
      .value=${value}
      .min=${least}
      .max=${most}
      .text=${text}
      @wf-change=${set}
    ></wf-slider>`;
  }

  /** Of several layers, which one. */
  protected layerChoice(layer: number, count: number) {
    if (count < 2) return nothing;
    const choose = ({ detail }: CustomEvent<string>) => this.turn({ layer: Number(detail) });
    return html`<wf-choice
      slot="controls"
      class="layer"
      .label=${this.own.layer}
      .value=${String(Math.min(layer, count - 1))}
      .options=${numbered(count)}
      @wf-change=${choose}
    ></wf-choice>`;
  }

  /** Said where a head, a layer or a row is asked for that is not there: the last one is shown. */
  protected beyond(name: string, asked: number, count: number): string {
    return asked < count ? "" : this.own.beyond(name, asked, count);
  }

  protected sceneOf(label: string, draw: Draw): TemplateResult {
    return html`<wf-scene .label=${label} .hint=${this.words.keys} .draw=${draw}></wf-scene>`;
  }

  /**
   * In the picture's place, where the attributes or numbers are at fault: the page's own notice
   * speaks of options below.
   */
  #refusal(failure: Failure): TemplateResult {
    const { failed, cure } = this.own;
    return html`<div class="refused" part="failure" role="alert">
      <strong>${failed}</strong>
      <p>${failureSentence(failure, this.words, this.refusals)}</p>
      <p>${cure}</p>
    </div>`;
  }

  protected framed(framing: Framing): TemplateResult {
    const { name, title, reading, note = "", caveat, takeaway, inside, around, table } = framing;
    const { failure } = this;
    const refused = failure && isNamed(failure, this.refusals) ? failure : undefined;
    return html`<wf-frame
      .name=${name}
      .heading=${title}
      .reading=${failure ? "" : reading}
      .waiting=${failure ? "" : this.isWaiting ? this.own.awaited : this.own.loading}
      .note=${failure ? "" : note}
      .caveat=${this.isWaiting ? "" : caveat}
      .isQuiet=${framing.isQuiet ?? false}
      .failure=${refused ? undefined : failure}
      .takeaway=${failure ? undefined : takeaway}
      @wf-again=${this.again}
    >
      ${refused ? this.#refusal(refused) : inside}
      ${this.isWaiting ? nothing : (around ?? nothing)}
      ${
        table && !failure
          ? html`<div slot="options" class="below">${foldedTable(table)}</div>`
          : nothing
      }
    </wf-frame>`;
  }
}
