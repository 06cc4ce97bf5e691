/**
 * `<wf-map-overview>`: the whole of a map in small, with a rectangle around the part in view.
 * Dragging the rectangle moves that part; dragging elsewhere selects another. The map itself has
 * keys for both.
 */

import { css, html, LitElement } from "lit";
import { define } from "../define.js";
import { type Box, brushed, insideMap, type Viewport, wholeMap } from "../drawing/map-viewport.js";
import type { MapFrame } from "./map-frame.js";
import type { Point } from "./map-pointer.js";

const side = 104;

export class MapOverview extends LitElement {
  static override properties = { frame: { attribute: false } };

  /** Frame of the large map. */
  declare frame: MapFrame | undefined;
  #view: Viewport | undefined;
  #from: Point | undefined;
  #grip: Viewport | undefined;

  static override styles = css`
    :host {
      display: block;
      flex: none;
    }

    canvas {
      display: block;
      touch-action: none;
      cursor: crosshair;
    }
  `;

  get #size() {
    return this.frame!.size;
  }

  get #box(): Box {
    const { rows, columns } = this.#size;
    const unit = side / Math.max(rows, columns);
    return { width: Math.max(4, columns * unit), height: Math.max(4, rows * unit) };
  }

  /** Paints with a rectangle around this part; the map calls it in its own animation frame. */
  show(view: Viewport): void {
    this.#view = view;
    const canvas = this.renderRoot.querySelector("canvas");
    const context = canvas?.getContext("2d");
    const { tiles, palette } = this.frame ?? {};
    if (!tiles || !palette || !canvas || !context) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    const box = this.#box;
    const [width, height] = [Math.round(box.width * scale), Math.round(box.height * scale)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, box.width, box.height);
    tiles.draw(context, wholeMap(this.#size, box), box, scale, 4);
    context.strokeStyle = palette.hair;
    context.strokeRect(0.5, 0.5, box.width - 1, box.height - 1);
    const unit = box.width / this.#size.columns;
    const down = (view.across * this.frame!.box.height) / this.frame!.box.width;
    context.strokeStyle = palette.plus;
    context.lineWidth = 1.5;
    context.strokeRect(
      Math.max(0.75, view.left * unit),
      Math.max(0.75, view.top * unit),
      Math.min(box.width - 1.5, Math.max(4, view.across * unit)),
      Math.min(box.height - 1.5, Math.max(4, down * unit)),
    );
  }

  /** Converts a pointer position in the small picture to cells. */
  #at(event: PointerEvent): Point {
    const canvas = this.renderRoot.querySelector("canvas")!;
    const { left, top } = canvas.getBoundingClientRect();
    const unit = this.#box.width / this.#size.columns;
    return { x: (event.clientX - left) / unit, y: (event.clientY - top) / unit };
  }

  #tell(detail: Viewport): void {
    this.dispatchEvent(new CustomEvent("wf-view", { detail }));
  }

  #press(event: PointerEvent): void {
    if (!this.frame || !this.#view) return;
    (event.target as HTMLElement).setPointerCapture(event.pointerId);
    const at = this.#at(event);
    const { left, top, across } = this.#view;
    const down = (across * this.frame.box.height) / this.frame.box.width;
    const isInside = at.x >= left && at.y >= top && at.x < left + across && at.y < top + down;
    const isGripped = isInside && !this.frame.isWhole;
    this.#from = at;
    this.#grip = isGripped ? this.#view : undefined;
  }

  #move(event: PointerEvent): void {
    if (!this.#from || !this.frame) return;
    const at = this.#at(event);
    const grip = this.#grip;
    if (grip) {
      const left = grip.left + at.x - this.#from.x;
      const top = grip.top + at.y - this.#from.y;
      this.#tell(insideMap({ ...grip, left, top }, this.#size, this.frame.box));
    } else if (Math.hypot(at.x - this.#from.x, at.y - this.#from.y) > this.#size.columns / 50)
      this.#tell(brushed(this.#from, at, this.#size, this.frame.box));
  }

  #release = (): void => {
    this.#from = undefined;
  };

  protected override updated(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    // Sized at once, and painted with the map in a later animation frame.
    if (canvas && this.frame) {
      const { width, height } = this.#box;
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    }
    if (this.#view) this.show(this.#view);
  }

  protected override render() {
    return html`<canvas
      aria-hidden="true"
      width="1"
      height="1"
      @pointerdown=${this.#press}
      @pointermove=${this.#move}
      @pointerup=${this.#release}
      @pointercancel=${this.#release}
    ></canvas>`;
  }
}

define("wf-map-overview", MapOverview);
