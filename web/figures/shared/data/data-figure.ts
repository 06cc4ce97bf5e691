/**
 * Base of the elements for any page: each draws the page's own numbers, from a property or an
 * address, or numbers that the engine computes as its attributes describe.
 */

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { numbered } from "../../../controls/choice.js";
import type { CellEventDetail, Draw } from "../../../controls/scene-view.js";
import type { Failure } from "../../../engine/both/failure.js";
import { page } from "../../../state.js";
import type { Takeaway } from "../exports/takeaway.js";
import { belowStyles } from "../figure/below-styles.js";
import { type Causes, failureSentence, isNamed } from "../figure/failure-sentence.js";
import { FigureElement, figureStyles } from "../figure/figure-element.js";
import { sameParts } from "../figure/memo.js";
import { address, ofKind } from "../given/kinds.js";
import { foldedTable, type PlainTable } from "../tables/plain-table.js";
import { numberTable } from "../tables/table-styles.js";
import { nameOfScheme } from "../trained/scheme-name.js";
import { type DataWords, dataWords } from "./data-words.js";
import "../../../controls/choice.js";
import "../../../controls/scene-view.js";
import "../../../controls/slider.js";
import "../figure/frame.js";

/** The parts around the picture. */
export interface Framing {
  name: string;
  title: string;
  caption: string;
  note?: string;
  caveat: string;
  takeaway?: Takeaway | undefined;
  /** Screen readers read each cell aloud, so the caption that follows it is silent. */
  isQuiet?: boolean;
  inside: unknown;
  around?: unknown;
  table?: PlainTable | undefined;
}

/** Sources of an element's numbers. */
export interface Origins {
  /** Names of the properties that hold the page's own numbers, beside `src`. */
  numbers: readonly string[];
  /** Names of the properties that describe a computation. */
  asks: readonly string[];
  /** Without any of these properties, it computes with trained models or their tokenizer. */
  readsModels: boolean;
  hasFile?: boolean;
}

/** A cell of a scene, or of a zoomable map, which has no grid. */
export type PickedCell = Omit<CellEventDetail, "grid"> & { grid?: string };

/**
 * Returns a row of a table of numbers, by the names in its first row; undefined if there is none.
 */
export function rowByName(
  [names, ...rows]: readonly (string | number)[][],
  row: number,
): Record<string, unknown> | undefined {
  const found = rows[row];
  return found && Object.fromEntries(names!.map((name, at) => [name, found[at]]));
}

/**
 * @fires {CustomEvent<Record<string, unknown>>} wf-pick - The reader has clicked a cell, a bar or a
 *   point of a curve, or moved to it by keyboard: `detail` has its position and its numbers by
 *   name, as in the figure's file of data.
 */
export abstract class DataFigure<Shown> extends FigureElement {
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

  /** Address of a file of given numbers, relative to the document. */
  declare src: string | undefined;
  declare shown: Shown | undefined;
  declare isWaiting: boolean;
  /** Cancels open requests when the element leaves the page. */
  #gone = new AbortController();
  #asked: readonly unknown[] = [];
  #round = 0;

  get data(): Shown | undefined {
    return this.shown;
  }

  /** All inputs of the picture: while none has changed, nothing is requested. */
  protected abstract get inputs(): readonly unknown[];
  /** Returns the numbers; undefined if a newer request has replaced this one. */
  protected abstract read(signal: AbortSignal): Promise<Shown | undefined>;

  /** Returns the event's details for a cell that the reader picks; undefined without a number. */
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

  /** Messages by the failure's code, for errors in attributes or numbers. */
  protected get refusals(): Causes {
    return this.dataWords.causes;
  }

  protected get dataWords(): DataWords {
    return this.say(dataWords);
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

  /** The sources of this element's numbers. */
  protected get origins(): Origins {
    return { numbers: [], asks: [], readsModels: false };
  }

  /**
   * True if neither numbers nor a computation are given yet, as after every framework's first
   * rendering, and they may follow. This holds if a list was set to null or undefined, or if the
   * element would need trained models, which a page may not have.
   */
  get #isAwaiting(): boolean {
    const { numbers, asks, readsModels, hasFile } = this.origins;
    const isAsked = [...numbers, "src", ...asks].some((name) => this.given.has(name));
    if (page.ownsAddress || hasFile || isAsked) return false;
    return readsModels || numbers.some((name) => this.given.awaits(name));
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
    const { inputs } = this;
    if (this.#asked.length && sameParts(this.#asked, inputs)) return;
    this.#asked = inputs;
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

  /** Returns a scheme's name; loads the names if necessary. */
  protected schemeName(id: string): string {
    this.fetchNames();
    return nameOfScheme(id, this.state.language);
  }

  protected again = (): void => {
    this.#asked = [];
    this.failure = undefined;
    void this.#ask();
  };

  /** Sets properties to the reader's choices, and fires an event. */
  protected applyChoice(change: Record<string, unknown>): void {
    Object.assign(this, change);
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: change, bubbles: true, composed: true }),
    );
  }

  // -------------------------------------------------------------------------- parts

  /** Returns a slider for a number. */
  protected slider(name: string, label: string, value: number, max: number, text: string, min = 0) {
    const set = ({ detail }: CustomEvent<number>) => this.applyChoice({ [name]: detail });
    return html`<wf-slider
      slot="controls"
      class=${name}
      .label=${label}
      .value=${value}
      .min=${min}
      .max=${max}
      .text=${text}
      @wf-change=${set}
    ></wf-slider>`;
  }

  /** Returns a choice of layer, if there are several. */
  protected layerChoice(layer: number, count: number) {
    if (count < 2) return nothing;
    const choose = ({ detail }: CustomEvent<string>) => this.applyChoice({ layer: Number(detail) });
    return html`<wf-choice
      slot="controls"
      class="layer"
      .label=${this.dataWords.layer}
      .value=${String(Math.min(layer, count - 1))}
      .options=${numbered(count)}
      @wf-change=${choose}
    ></wf-choice>`;
  }

  /**
   * Returns a note if the requested head, layer or row does not exist, and the last one is shown.
   */
  protected beyond(name: string, asked: number, count: number): string {
    return asked < count ? "" : this.dataWords.beyond(name, asked, count);
  }

  protected sceneOf(label: string, draw: Draw): TemplateResult {
    return html`<wf-scene .label=${label} .hint=${this.words.keys} .draw=${draw}></wf-scene>`;
  }

  /**
   * Returns the notice on an error in attributes or numbers: the page's general notice mentions
   * options that are not here.
   */
  #refusal(failure: Failure): TemplateResult {
    const { failed, cure } = this.dataWords;
    return html`<div class="refused" part="failure" role="alert">
      <strong>${failed}</strong>
      <p>${failureSentence(failure, this.words, this.refusals)}</p>
      <p>${cure}</p>
    </div>`;
  }

  protected framed(framing: Framing): TemplateResult {
    const { name, title, caption, note = "", caveat, takeaway, inside, around, table } = framing;
    const { failure } = this;
    const refused = failure && isNamed(failure, this.refusals) ? failure : undefined;
    return html`<wf-frame
      .name=${name}
      .heading=${title}
      .caption=${failure ? "" : caption}
      .waiting=${failure ? "" : this.isWaiting ? this.dataWords.awaited : this.dataWords.loading}
      .note=${failure ? "" : note}
      .caveat=${this.isWaiting ? "" : caveat}
      .isQuiet=${framing.isQuiet ?? false}
      .failure=${refused ? undefined : failure}
      .takeaway=${failure ? undefined : takeaway}
      @wf-again=${this.again}
    >
      ${refused ? this.#refusal(refused) : inside} ${this.isWaiting ? nothing : (around ?? nothing)}
      ${
        table && !failure
          ? html`<div slot="options" class="below">${foldedTable(table)}</div>`
          : nothing
      }
    </wf-frame>`;
  }
}
