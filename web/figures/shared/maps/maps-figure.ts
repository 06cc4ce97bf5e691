/**
 * Base of figures with zoomable maps: links the maps, and holds their common scales, the marked
 * cell, and the heads to choose from.
 */
import { html, nothing, type TemplateResult } from "lit";
import { linkOf, type MapLink } from "../../../controls/map-link.js";
import type { Extent } from "../../../controls/map-view.js";
import type { MapSource, Reduce } from "../../../drawing/map-pyramid.js";
import type { Cell } from "../../../drawing/scene.js";
import type { Failure } from "../../../engine/both/failure.js";
import { DataFigure, type PickedCell } from "../data/data-figure.js";
import { type HeadNumbers, layerOf, type Numbers } from "../data/numbers.js";
import { Memo } from "../figure/memo.js";
import { drawHeads, headsInRow } from "../pictures/heads-picture.js";
import { mapScale, scaleEnd } from "./map-looks.js";
import { hasCell, MapSources, valueIn } from "./map-sources.js";
import { type ZoomWords, zoomWords } from "./map-words.js";
import "../../../controls/map-view.js";
import "../../../controls/scene-view.js";

export interface FigureMap {
  id: string;
  /** Title above the map, if there are several. */
  title: string;
  /** Undefined if the map could not be made. */
  source?: MapSource;
  failure?: Failure | undefined;
  rowLabels: readonly string[];
  columnLabels: readonly string[];
  /** Always signed, with a scale separate from that of other maps: a difference. */
  isAboutZero: boolean;
}

/**
 * @csspart map - A map with the parts below it.
 * @csspart overview - The whole map, small, with the part in view framed.
 * @csspart zoom - The buttons that zoom.
 * @csspart cells - The number of cells, and how points combine them.
 * @csspart heads - Small maps of all heads, to choose one.
 */
export abstract class MapsFigure<Shown> extends DataFigure<Shown> {
  static override properties = {
    ...DataFigure.properties,
    extents: { state: true },
    pointed: { state: true },
  };

  /** Ranges of the numbers in the maps, by the maps' ids. */
  declare extents: ReadonlyMap<string, Extent>;
  declare pointed: Cell | undefined;
  protected link: MapLink = linkOf("");
  protected sources = new MapSources();
  #layer = new Memo<HeadNumbers>();

  constructor() {
    super();
    this.extents = new Map();
  }

  /** All maps, in their order. */
  protected abstract get maps(): readonly FigureMap[];
  /** The number shown for a block of cells, and whether the scale is logarithmic. */
  protected abstract get look(): { reduce: Reduce; log: boolean };

  /** Returns the cell's numbers: one for a single map, or by the maps' ids. */
  protected picked({ grid, row, column }: PickedCell): Record<string, unknown> | undefined {
    const maps = this.maps.filter(({ source }) => source && hasCell(source, { row, column }));
    // A scene beside the maps has a grid, of heads.
    if (grid !== undefined || !maps.length) return undefined;
    const { rowLabels, columnLabels } = maps[0]!;
    const cell = { row, query: rowLabels[row], column, key: columnLabels[column] };
    const numbers = maps.map(({ id, source }) => {
      const value = valueIn(source!, { row, column });
      return [id, Number.isNaN(value) ? null : value] as const;
    });
    return numbers.length > 1
      ? { ...cell, values: Object.fromEntries(numbers) }
      : { ...cell, value: numbers[0]![1] };
  }

  protected override get isFilled(): boolean {
    return this.extents.size > 0;
  }

  protected get zoom(): ZoomWords {
    return this.say(zoomWords);
  }

  /** Returns the text of a map's cell. */
  protected describe(map: FigureMap, row: number, column: number, value: number): string {
    const { rowLabels, columnLabels, source } = map;
    if (source?.parts && !source.parts.has(row, column))
      return this.zoom.arriving(row + 1, rowLabels[row]!, column + 1, columnLabels[column]!);
    return this.zoom.cell(row + 1, rowLabels[row]!, column + 1, columnLabels[column]!, value);
  }

  /** Returns the cell under the pointer, else the chosen one, if this map has it. */
  protected cellIn(source: MapSource): Cell | undefined {
    const cell = this.pointed ?? this.link.chosen;
    return hasCell(source, cell) ? cell : undefined;
  }

  /** Returns the number farthest from zero; NaN until the range of the map is known. */
  protected peakOf({ id }: FigureMap): number {
    const { min = Number.NaN, max = Number.NaN } = this.extents.get(id) ?? {};
    return Math.abs(min) > Math.abs(max) ? min : max;
  }

  #extentsOf(isAboutZero: boolean): (Extent | undefined)[] {
    const alike = this.maps.filter((map) => map.source && map.isAboutZero === isAboutZero);
    return alike.map(({ id }) => this.extents.get(id));
  }

  /** Returns the end of the maps' common scale; undefined until the ranges of all are known. */
  protected limitOf(isAboutZero: boolean): number | undefined {
    const found = this.#extentsOf(isAboutZero);
    const known = found.filter((extent) => extent !== undefined);
    return known.length < found.length ? undefined : scaleEnd(known);
  }

  protected get isSigned(): boolean {
    return this.#extentsOf(false).some((extent) => (extent?.min ?? 0) < 0);
  }

  /**
   * Shows a map; `isPlain` leaves out the buttons and the overview, which another linked map has.
   */
  protected mapView(map: FigureMap, label: string, isPlain = false): TemplateResult {
    const { id, source, rowLabels, columnLabels, isAboutZero } = map;
    const { reduce, log } = this.look;
    const hear = ({ detail }: CustomEvent<Extent>) => {
      this.extents = new Map(this.extents).set(id, detail);
    };
    return html`<wf-map-view
      part="map"
      exportparts="overview, zoom, cells"
      .source=${source}
      .rows=${rowLabels}
      .columns=${columnLabels}
      .reduce=${reduce}
      .signed=${isAboutZero || this.isSigned}
      .limit=${this.limitOf(isAboutZero)}
      .log=${log}
      .link=${this.link}
      .label=${label}
      .words=${this.zoom}
      .describe=${(row: number, column: number, value: number) =>
        this.describe(map, row, column, value)}
      .isPlain=${isPlain || this.isCompact}
      @wf-extent=${hear}
      @wf-cell=${this.#point}
      @wf-leave=${this.#leave}
    ></wf-map-view>`;
  }

  #point = ({ detail }: CustomEvent<Cell>): void => {
    this.pointed = detail;
  };

  #leave = (): void => {
    this.pointed = undefined;
  };

  /** Returns a scale for the maps, and one for differences if there are any. */
  protected scales(label: string, aboutZero: string): TemplateResult {
    const { zoom } = this;
    const { theme } = this.state;
    const has = (isAboutZero: boolean) => this.maps.some((map) => map.isAboutZero === isAboutZero);
    const extents = [...this.extents.values()];
    const hatched = extents.some(({ hasGaps }) => hasGaps) ? this.words.scale.masked : "";
    const scale = { limit: this.limitOf(false) ?? 1, signed: this.isSigned, log: this.look.log };
    const signed = { limit: this.limitOf(true) ?? 1, signed: true, log: false };
    const isApart = has(true);
    const isAlone = isApart && !has(false);
    return html`${isAlone ? nothing : mapScale(label, scale, zoom, hatched, theme)}
    ${isApart ? mapScale(aboutZero, signed, zoom, isAlone ? hatched : "", theme) : nothing}`;
  }

  /** Returns the maps of one layer, as the same object while the layer is the same. */
  protected givenLayer(numbers: Numbers, layer: number): HeadNumbers {
    return this.#layer.of([numbers, layer], () => layerOf(numbers, layer));
  }

  /** Shows small maps of all heads of the given numbers, to choose one. */
  protected headsGrid(numbers: HeadNumbers, head: number, choose: (head: number) => void) {
    if (numbers.heads < 2) return nothing;
    const { zoom } = this;
    const hear = ({ detail }: CustomEvent<{ row: number; column: number; chosen: boolean }>) => {
      const chosen = detail.column + detail.row * headsInRow;
      if (detail.chosen && chosen < numbers.heads) choose(chosen);
    };
    return html`<p class="heads-name" part="heads" aria-hidden="true">${zoom.heads}</p>
      <wf-scene
        class="heads"
        part="heads"
        .label=${zoom.heads}
        .hint=${this.words.keys}
        .draw=${drawHeads(numbers, Math.min(head, numbers.heads - 1), zoom)}
        @wf-cell=${hear}
      ></wf-scene>`;
  }
}
