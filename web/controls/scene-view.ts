/**
 * `<wf-scene>`: shows a picture on a canvas and lets keyboard, pointer and screen reader move
 * through its grids. Each grid has one real element, at the current cell, so that 4,096 cells cost
 * one element. Fires `wf-cell` with { grid, row, column, chosen } when a cell is pointed at,
 * reached by key or chosen.
 */

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { define } from "../define.js";
import type { Palette } from "../drawing/colour.js";
import { measureIn, onFaces, paint } from "../drawing/paint.js";
import type { Cell, CellAddress, Grid, Measure, Picture } from "../drawing/scene.js";
import { cellUnder, cornerOf, walk, within } from "../drawing/walk.js";
import { figureOf } from "../language-of.js";
import { forgetLook, lookOf, onLook } from "./looks.js";
import { drawOnPaper, isOnPaper, widthOf } from "./paper.js";
import { onPaper, quiet } from "./shared-styles.js";

export type Draw = (width: number, palette: Palette, measure: Measure) => Picture;

export interface CellEventDetail extends CellAddress {
  /** Clicked, or reached by key; false while merely pointed at. */
  chosen: boolean;
}

const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a?.row === b?.row && a?.column === b?.column;

export class SceneView extends LitElement {
  static override properties = {
    draw: { attribute: false },
    wide: { attribute: false },
    active: { attribute: false, hasChanged: (now?: Cell, before?: Cell) => !isSame(now, before) },
    label: {},
    hint: {},
    picture: { state: true },
    spoken: { state: true },
  };

  declare draw: Draw | undefined;
  /** Width, if it is fixed; it is then not measured. */
  declare wide: number;
  /** The marked cell, in each part of the picture that can mark one. */
  declare active: Cell | undefined;
  /** Description of the picture, for a screen reader. */
  declare label: string;
  /** Explains the keys, for a screen reader. */
  declare hint: string;
  declare picture: Picture | undefined;
  declare spoken: string;

  palette: Palette | undefined;
  /**
   * Number of times that a picture was made, and that one was painted; moving the mark only paints.
   */
  builds = 0;
  paints = 0;
  /** The picture without the parts that depend on the marked cell. */
  #built: Picture | undefined;
  #painted: Picture | undefined;
  #at = new Map<string, { row: number; column: number }>();
  /** Width for which the picture is drawn. */
  #width = 0;
  // The height follows from the picture: only a change of width needs a new drawing.
  #observer = new ResizeObserver(() => {
    const width = this.clientWidth;
    if (width === this.#width) return;
    this.#width = width;
    this.#repaint();
  });
  /** Draws again after a change of colours, fonts or width. */
  #repaint = () => {
    forgetLook(this);
    this.requestUpdate("draw");
  };
  #refreshLook = () => {
    if (lookOf(this).palette !== this.palette) this.requestUpdate("draw");
  };
  #gone = new AbortController();

  static override styles = [
    quiet,
    css`
      :host {
        position: relative;
        width: 100%;
        touch-action: manipulation;
      }

      canvas {
        display: block;
        max-width: none;
      }

      .cell {
        position: absolute;
        overflow: hidden;
        color: transparent;
        font-size: calc(1 * var(--wf-px, 1px));
        pointer-events: none;
        user-select: none;
      }
    `,
    onPaper,
  ];

  constructor() {
    super();
    this.wide = 0;
    this.label = "";
    this.hint = "";
    this.spoken = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
    this.#gone = new AbortController();
    onLook(this, this.#refreshLook, this.#gone.signal);
    // The element may have moved to another parent.
    if (this.hasUpdated) this.#repaint();
    onFaces(() => this.picture?.faces ?? "", this.#repaint, this.#gone.signal);
    drawOnPaper(() => {
      this.#width = widthOf(this, figureOf(this));
      this.#repaint();
      this.performUpdate();
    }, this.#gone.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#gone.abort();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("draw")) this.#build();
    else if (!changed.has("active")) return;
    const built = this.#built;
    const over = built?.over?.(this.active);
    this.picture = over
      ? {
          ...built!,
          marks: [...built!.marks, ...over.marks],
          grids: [...built!.grids, ...(over.grids ?? [])],
        }
      : built;
  }

  #build(): void {
    // The observer sets the width: reading it here for every picture would lay out the whole page
    // each time.
    this.#width ||= this.wide || this.clientWidth;
    if (!this.draw || this.#width === 0) return;
    const { palette, faces } = lookOf(this);
    this.palette = palette;
    this.#built = { ...this.draw(this.#width, palette, measureIn(faces)), faces };
    this.builds += 1;
  }

  protected override updated(_changed: PropertyValues): void {
    const canvas = this.renderRoot.querySelector("canvas");
    if (!canvas || !this.picture) return;
    for (const grid of this.picture.grids) this.#positionCell(grid);
    if (this.picture === this.#painted) return;
    this.#painted = this.picture;
    this.paints += 1;
    paint(canvas, this.picture, isOnPaper() ? 3 : Math.min(3, devicePixelRatio || 1));
    canvas.style.width = `${this.picture.width}px`;
    canvas.style.height = `${this.picture.height}px`;
  }

  /** The current cell of a grid. */
  #standing(grid: Grid): { row: number; column: number } {
    return within(grid, this.#at.get(grid.id) ?? { row: 0, column: 0 });
  }

  #positionCell(grid: Grid): void {
    const cell = this.renderRoot.querySelector<HTMLElement>(`[data-grid="${grid.id}"]`);
    if (!cell) return;
    const { x, y } = cornerOf(grid, this.#standing(grid));
    cell.style.left = `${x}px`;
    cell.style.top = `${y}px`;
    cell.style.width = `${grid.cellWidth}px`;
    cell.style.height = `${grid.cellHeight}px`;
  }

  #tell(grid: Grid, row: number, column: number, chosen: boolean): void {
    const detail: CellEventDetail = { grid: grid.id, row, column, chosen };
    this.dispatchEvent(new CustomEvent("wf-cell", { detail, bubbles: true, composed: true }));
  }

  #onKey(grid: Grid, event: KeyboardEvent): void {
    const to = walk(grid, this.#standing(grid), event);
    if (!to) return;
    event.preventDefault();
    this.#at.set(grid.id, to);
    this.spoken = grid.describe(to.row, to.column);
    this.#tell(grid, to.row, to.column, true);
  }

  #onPointer(event: PointerEvent | MouseEvent, chosen: boolean): void {
    const box = this.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const found = cellUnder(this.picture?.grids ?? [], x, y);
    if (found) {
      if (chosen) this.#at.set(found.grid.id, found);
      this.#tell(found.grid, found.row, found.column, chosen);
    } else if (!chosen) this.#onLeave();
  }

  #onLeave(): void {
    this.dispatchEvent(new CustomEvent("wf-leave", { bubbles: true, composed: true }));
  }

  #renderGrid(grid: Grid) {
    const { row, column } = this.#standing(grid);
    return html`<div
      role="grid"
      aria-label=${grid.label}
      aria-rowcount=${grid.rows}
      aria-colcount=${grid.columns}
    >
      <div role="row" aria-rowindex=${row + 1}>
        <div
          class="cell"
          role="gridcell"
          tabindex="0"
          data-grid=${grid.id}
          aria-colindex=${column + 1}
          aria-description=${this.hint || nothing}
          @keydown=${(event: KeyboardEvent) => this.#onKey(grid, event)}
          aria-label=${grid.describe(row, column)}
        ></div>
      </div>
    </div>`;
  }

  protected override render() {
    return html`<canvas
        role="img"
        aria-label=${this.label}
        @pointermove=${(event: PointerEvent) => this.#onPointer(event, false)}
        @pointerleave=${this.#onLeave}
        @click=${(event: MouseEvent) => this.#onPointer(event, true)}
      ></canvas>
      ${this.picture?.grids.map((grid) => this.#renderGrid(grid)) ?? nothing}
      <div role="status" class="unseen">${this.spoken}</div>`;
  }
}

define("wf-scene", SceneView);
