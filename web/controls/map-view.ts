/**
 * `<wf-map-view>`: a map of up to millions of cells that is zoomed and moved by wheel, fingers,
 * keys and buttons, with an overview. Maps with one `link` show the same part and mark the same
 * cell. Fires `wf-cell` with { row, column, chosen }, `wf-leave`, and `wf-extent` when the range of
 * its numbers is known.
 */

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { yieldToEvents } from "whereformer/yield";
import { define } from "../define.js";
import { buildPyramid, type MapSource, type Pyramid, type Reduce } from "../drawing/map-pyramid.js";
import { scaleOf } from "../drawing/map-shades.js";
import { cellAtPoint, panned, revealing, type Viewport, zoomed } from "../drawing/map-viewport.js";
import { onFaces } from "../drawing/paint.js";
import type { Cell, Picture } from "../drawing/scene.js";
import { walk } from "../drawing/walk.js";
import { figureOf } from "../language-of.js";
import { forgetLook, lookOf, onLook } from "./looks.js";
import { MapFrame } from "./map-frame.js";
import { type MapWords, shifts, zooms } from "./map-keys.js";
import { MapLink } from "./map-link.js";
import type { MapOverview } from "./map-overview.js";
import { listenToPointer, type Point } from "./map-pointer.js";
import { mapViewStyles } from "./map-view-styles.js";
import { drawOnPaper, widthOf } from "./paper.js";
import { onPaper, quiet } from "./shared-styles.js";
import "./map-overview.js";

export type Extent = Pick<Pyramid, "min" | "max" | "peak" | "hasGaps">;

const overtaken = Symbol("overtaken");

export class MapView extends LitElement {
  static override properties = {
    source: { attribute: false },
    rows: { attribute: false },
    columns: { attribute: false },
    reduce: {},
    signed: { attribute: false },
    limit: { attribute: false },
    log: { attribute: false },
    link: { attribute: false },
    label: {},
    words: { attribute: false },
    describe: { attribute: false },
    isPlain: { attribute: false },
    frame: { state: true },
    spoken: { state: true },
    side: { state: true },
    zoomedIn: { state: true },
  };

  declare source: MapSource | undefined;
  /** Labels of rows and columns. */
  declare rows: readonly string[];
  declare columns: readonly string[];
  declare reduce: Reduce;
  declare signed: boolean;
  /** End of the scale; by default the largest absolute value. */
  declare limit: number | undefined;
  declare log: boolean;
  declare link: MapLink;
  declare label: string;
  declare words: MapWords | undefined;
  /** Returns the text of a cell, for a screen reader; the value is NaN in a masked cell. */
  declare describe: (row: number, column: number, value: number) => string;
  /** Without buttons and overview; those of a linked map apply. */
  declare isPlain: boolean;
  declare frame: MapFrame | undefined;
  declare spoken: string;
  declare side: number;
  declare zoomedIn: boolean;

  /** Number of times that cells were painted. */
  paints = 0;
  #pyramid: Pyramid | undefined;
  #width = 0;
  /** True if the colours in force may have changed since the map was painted. */
  #isWorn = false;
  #isSeen = false;
  #isAwaited = false;
  #round = 0;
  #gone = new AbortController();
  #listened: MapLink | undefined;
  /** Ends listening to the numbers of the source before. */
  #sourceGone = new AbortController();
  #onLink = () => this.#moved();
  #sizes = new ResizeObserver(() => {
    if (this.clientWidth === this.#width) return;
    this.#width = this.clientWidth;
    this.requestUpdate();
  });
  #sight = new IntersectionObserver(
    (entries) => {
      this.#isSeen = entries.at(-1)!.isIntersecting;
      if (this.#isSeen) this.repaint();
    },
    { rootMargin: "200px 0px" },
  );

  static override styles = [quiet, mapViewStyles, onPaper];

  constructor() {
    super();
    this.rows = [];
    this.columns = [];
    this.reduce = "max";
    this.signed = false;
    this.log = false;
    this.link = new MapLink();
    this.label = "";
    this.describe = () => "";
    this.isPlain = false;
    this.spoken = "";
    this.side = 1;
    this.zoomedIn = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    this.#sizes.observe(this);
    this.#sight.observe(this);
    this.#listen(this.link);
    const refreshLook = () => {
      this.#isWorn = true;
      this.requestUpdate();
    };
    onLook(this, refreshLook, signal);
    onFaces(() => this.frame?.faces ?? "", refreshLook, signal);
    drawOnPaper(() => {
      this.#width = widthOf(this, figureOf(this));
      refreshLook();
      this.performUpdate();
      this.frame?.paintWhole(this.renderRoot.querySelector("canvas")!);
    }, signal);
    // The element may have moved to another parent.
    forgetLook(this);
    refreshLook();
    if (this.hasUpdated) this.#listenToPointer();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
    this.#sight.disconnect();
    this.#isSeen = false;
    this.#listen();
    this.#gone.abort();
  }

  #listen(link?: MapLink): void {
    this.#listened?.changes.forget(this.#onLink);
    this.#listened = link;
    link?.changes.listen(this.#onLink);
  }

  protected override firstUpdated(): void {
    this.#listenToPointer();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("link") && this.isConnected) this.#listen(this.link);
    if (changed.has("source") || changed.has("reduce")) void this.#build();
    const isOther = ["limit", "log", "signed"].some((name) => changed.has(name));
    if ((isOther || this.#isWorn) && this.#pyramid) this.#applyLook();
  }

  /** Builds the pyramid in pieces; stops if another map arrives. */
  async #build(): Promise<void> {
    const round = ++this.#round;
    const { source, reduce } = this;
    this.#sourceGone.abort();
    this.#sourceGone = new AbortController();
    source?.parts?.listen(() => this.repaint(), this.#sourceGone.signal);
    if (!source) {
      this.#pyramid = undefined;
      this.frame = undefined;
      return;
    }
    const yieldAndCheck = async () => {
      await yieldToEvents();
      if (round !== this.#round) throw overtaken;
    };
    try {
      this.#pyramid = await buildPyramid(source, reduce, yieldAndCheck);
      if (round !== this.#round) return;
      this.#applyLook();
      const detail: Extent = this.#pyramid;
      this.dispatchEvent(new CustomEvent("wf-extent", { detail }));
    } catch (reason) {
      if (reason !== overtaken) throw reason;
    }
  }

  #applyLook(): void {
    this.#isWorn = false;
    const frame = new MapFrame(this.#pyramid!, scaleOf(this.#pyramid!, this));
    const { palette, faces } = lookOf(this);
    frame.applyLook(palette, faces);
    this.frame = frame;
  }

  protected override updated(): void {
    const { frame } = this;
    if (!frame) return;
    this.#width ||= this.clientWidth;
    frame.layOut(this.#width, this.rows, this.columns);
    frame.sizeCanvas(this.renderRoot.querySelector("canvas")!);
    this.#moved();
  }

  #moved(): void {
    const { frame, link } = this;
    if (!frame) return;
    frame.wanted = link.view;
    frame.active = link.active;
    this.zoomedIn = !frame.isWhole;
    this.repaint();
  }

  /** Paints in the next animation frame, if the map is in view. */
  repaint(): void {
    if (this.#isAwaited || !this.#isSeen || !this.frame || !this.#width) return;
    this.#isAwaited = true;
    requestAnimationFrame(() => {
      this.#isAwaited = false;
      if (this.#isSeen && this.frame && this.isConnected) this.#paint(this.frame);
    });
  }

  #paint(frame: MapFrame): void {
    this.paints += 1;
    const { isDone, side } = frame.paint(this.renderRoot.querySelector("canvas")!);
    this.side = side;
    const cell = this.renderRoot.querySelector<HTMLElement>(".cell");
    if (cell) {
      const { left, top, side: size } = frame.boxOf(this.#standing);
      const style = { left, top, width: size, height: size };
      for (const [name, value] of Object.entries(style)) cell.style.setProperty(name, `${value}px`);
    }
    this.renderRoot.querySelector<MapOverview>("wf-map-overview")?.show(frame.view);
    if (!isDone) this.repaint();
    this.dispatchEvent(new CustomEvent("wf-painted", { detail: { isDone } }));
  }

  /** The part in view as a picture, for files. */
  get picture(): Picture | undefined {
    return this.frame?.picture;
  }

  get palette() {
    return this.frame?.palette;
  }

  get #standing(): Cell {
    const { rows, columns } = this.frame!.size;
    const { row, column } = this.link.chosen ?? { row: 0, column: 0 };
    return { row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) };
  }

  #tell(cell: Cell, chosen: boolean): void {
    const detail = { ...cell, chosen };
    this.dispatchEvent(new CustomEvent("wf-cell", { detail, bubbles: true, composed: true }));
  }

  #listenToPointer(): void {
    const canvas = this.renderRoot.querySelector("canvas")!;
    const under = (at: Point) => {
      const { frame } = this;
      return frame && cellAtPoint(frame.view, at, frame.size, frame.box);
    };
    const leave = () => {
      this.link.set({ active: this.link.chosen });
      this.dispatchEvent(new CustomEvent("wf-leave", { bubbles: true, composed: true }));
    };
    const point = (at: Point) => {
      const cell = under(at);
      if (!cell) return leave();
      this.link.set({ active: cell });
      this.#tell(cell, false);
    };
    const choose = (at: Point) => {
      const cell = under(at);
      if (cell) this.#choose(cell);
    };
    const origin = () => ({ x: this.frame?.room.left ?? 0, y: this.frame?.room.above ?? 0 });
    const zoom = (factor: number, at: Point) => this.zoom(factor, at);
    listenToPointer(
      canvas,
      { origin, point, leave, choose, drag: this.#pan, zoom },
      this.#gone.signal,
    );
  }

  #choose(cell: Cell): void {
    this.link.set({ active: cell, chosen: cell });
    this.requestUpdate();
    this.#tell(cell, true);
  }

  #pan = (dx: number, dy: number): void => {
    const { frame } = this;
    if (!frame || frame.isWhole) return;
    // Includes changes requested earlier in this task.
    frame.wanted = this.link.view;
    this.link.set({ view: panned(frame.view, dx, dy, frame.size, frame.box) });
  };

  /**
   * Zooms in by `factor` about a point in the rectangle of the cells; by default about the marked
   * cell.
   */
  zoom(factor: number, at?: Point): void {
    const { frame } = this;
    if (!frame) return;
    frame.wanted = this.link.view;
    const { box } = frame;
    const middle = { x: box.width / 2, y: box.height / 2 };
    const about = at ?? (this.link.chosen && frame.middleOf(this.link.chosen)) ?? middle;
    this.link.set({ view: zoomed(frame.view, factor, about, frame.size, box) });
  }

  showWhole(): void {
    this.link.set({ view: undefined });
  }

  /** Moves the marked cell by a key, and the part in view with it. */
  #walk(event: KeyboardEvent, frame: MapFrame): boolean {
    const to = walk(frame.size, this.#standing, event);
    if (!to) return false;
    const { link } = this;
    if (link.view) link.set({ view: revealing(link.view, to, frame.size, frame.box) });
    this.#choose(to);
    this.spoken = this.describe(to.row, to.column, frame.valueAt(to));
    return true;
  }

  #onKey(event: KeyboardEvent): void {
    const { frame } = this;
    if (!frame) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const shift = event.shiftKey && isPlain ? shifts[event.key] : undefined;
    const by = isPlain ? zooms[event.key] : undefined;
    if (shift) this.#pan(shift[0] * frame.box.width, shift[1] * frame.box.height);
    else if (by) this.zoom(by);
    else if (event.key === "0" && isPlain) this.showWhole();
    else if (!this.#walk(event, frame)) return;
    event.preventDefault();
  }

  #grid(frame: MapFrame) {
    const { row, column } = this.#standing;
    const { rows, columns } = frame.size;
    return html`<div
      role="grid"
      aria-label=${this.label}
      aria-rowcount=${rows}
      aria-colcount=${columns}
    >
      <div role="row" aria-rowindex=${row + 1}>
        <div
          class="cell"
          role="gridcell"
          tabindex="0"
          aria-colindex=${column + 1}
          aria-description=${this.words?.keys ?? nothing}
          aria-label=${this.describe(row, column, frame.valueAt({ row, column }))}
          @keydown=${this.#onKey}
        ></div>
      </div>
    </div>`;
  }

  #under(frame: MapFrame, words: MapWords) {
    const { rows, columns } = frame.size;
    const stands = this.side > 1 ? words.stands(this.reduce, this.side) : "";
    const move = ({ detail }: CustomEvent<Viewport>) => this.link.set({ view: detail });
    const button = (name: "closer" | "farther" | "whole", act: () => void, isOff: boolean) =>
      html`<button class=${name} ?disabled=${isOff} @click=${act}>${words[name]}</button>`;
    return html`<div class="under">
      <wf-map-overview part="overview" .frame=${frame} @wf-view=${move}></wf-map-overview>
      <div class="beside">
        <div class="zoom" part="zoom" role="group" aria-label=${words.zoom}>
          ${button("closer", () => this.zoom(2), false)}
          ${button("farther", () => this.zoom(0.5), !this.zoomedIn)}
          ${button("whole", () => this.showWhole(), !this.zoomedIn)}
        </div>
        <p class="stands" part="cells">${words.cells(rows, columns)} ${stands}</p>
      </div>
    </div>`;
  }

  protected override render() {
    const { frame, words } = this;
    return html`<div class="place ${this.zoomedIn ? "zoomed" : ""}">
        <canvas role="img" aria-label=${this.label} width="1" height="1"></canvas>
        ${frame ? this.#grid(frame) : nothing}
        <div role="status" class="unseen">${this.spoken}</div>
      </div>
      ${frame && words && !this.isPlain ? this.#under(frame, words) : nothing}`;
  }
}

define("wf-map-view", MapView);
