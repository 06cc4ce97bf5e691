/**
 * `<wf-encoding-heatmap>`: what positions add to token vectors, of any additive scheme or given.
 */
import { html } from "lit";
import { linkOf, type MapLink } from "../../controls/map-link.js";
import type { Extent, MapView } from "../../controls/map-view.js";
import { addedView } from "../../defaults.js";
import type { MapSource } from "../../drawing/map-pyramid.js";
import type { Cell } from "../../drawing/scene.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { mapAsCsv } from "../shared/map-file.js";
import { mapScale, scaleEnd } from "../shared/map-looks.js";
import { zoomWords } from "../shared/map-words.js";
import { Memo } from "../shared/memo.js";
import type { Weights } from "../shared/numbers.js";
import { OwnFigure } from "../shared/own-figure.js";
import { encodingCode, ownRowsCode } from "./code.js";
import { type Rows, rowsOfAddress, rowsOfAnswer, rowsOfValues } from "./rows.js";
import { heatmapWords } from "./words.js";
import "../../controls/map-view.js";
import "../shared/frame.js";

const counted = (length: number): string[] => Array.from({ length }, (_, at) => String(at));

interface Drawing {
  source: MapSource;
  rows: string[];
  columns: string[];
}

export class EncodingHeatmap extends OwnFigure<Rows> {
  static override properties = {
    ...OwnFigure.properties,
    values: { attribute: false },
    scheme: {},
    options: {},
    base: { type: Number },
    length: { type: Number },
    dim: { type: Number },
    extent: { state: true },
    pointed: { state: true },
  };

  /** Rows of one's own: [positions, channels], or { data, shape }. */
  declare values: Weights | undefined;
  /** Id of a scheme that adds to token vectors, as in `wf.schemes`. */
  declare scheme: string;
  /** The scheme's options where they differ from their defaults, `key:value;key:value`. */
  declare options: string;
  /** Base of the wavelengths, of a scheme that has one. */
  declare base: number | undefined;
  /** So many positions, from 0. */
  declare length: number;
  /** So many channels. */
  declare dim: number;
  declare extent: Extent | undefined;
  declare pointed: Cell | undefined;
  #line = new NewestWins("encoding");
  #link: MapLink = linkOf("");
  #drawing = new Memo<Drawing>();

  constructor() {
    super();
    [this.scheme] = addedView.schemes;
    this.options = "";
    this.length = 128;
    this.dim = 64;
  }

  protected override get isFilled(): boolean {
    return this.extent !== undefined;
  }

  protected get wish() {
    const { values, src, scheme, options, base, length, dim } = this;
    return values || src ? [values, src] : [scheme, options, base, length, dim];
  }

  protected async read(signal: AbortSignal): Promise<Rows | undefined> {
    const { values, src, scheme, base, length, dim: channels } = this;
    if (values) return rowsOfValues(values);
    if (src) return rowsOfAddress(src, signal);
    const options = [...(base ? [`base:${base}`] : []), this.options].join(";");
    const answer = await this.#line.ask({ scheme, options, length, channels });
    return answer && rowsOfAnswer(answer);
  }

  /** One object for as long as it shows the same, so that nothing is looked through again. */
  #drawingOf(shown: Rows): Drawing {
    const { drawn: values, channels: rows, length: columns } = shown;
    return this.#drawing.of([shown], () => ({
      source: { rows, columns, values, hidesFirst: false },
      rows: counted(rows),
      columns: counted(columns),
    }));
  }

  #describe = (channel: number, position: number, value: number): string =>
    this.say(heatmapWords).cell(position, channel, value);

  #reading(shown: Rows): string {
    const { pointed, extent } = this;
    const valueAt = ({ row, column }: Cell) => shown.drawn[row * shown.length + column]!;
    const isThere = pointed && pointed.row < shown.channels && pointed.column < shown.length;
    if (isThere) return this.#describe(pointed.row, pointed.column, valueAt(pointed));
    const peak = extent?.peak;
    if (!peak) return "";
    const words = this.say(heatmapWords);
    return words.reading(shown.length, shown.channels, peak.column, peak.row, valueAt(peak));
  }

  #map(shown: Rows) {
    const { source, rows, columns } = this.#drawingOf(shown);
    const hear = ({ detail }: CustomEvent<Extent>) => (this.extent = detail);
    const point = ({ detail }: CustomEvent<Cell>) => (this.pointed = detail);
    const leave = () => (this.pointed = undefined);
    return html`<wf-map-view
      .source=${source}
      .rows=${rows}
      .columns=${columns}
      .signed=${true}
      .limit=${this.extent && scaleEnd([this.extent])}
      .link=${this.#link}
      .label=${this.say(heatmapWords).name}
      .words=${this.say(zoomWords)}
      .describe=${this.#describe}
      .theme=${this.state.theme}
      @wf-extent=${hear}
      @wf-cell=${point}
      @wf-leave=${leave}
    ></wf-map-view>`;
  }

  #takeaway(shown: Rows, title: string) {
    const { length: rows, channels: columns, values, answer } = shown;
    const source = { rows, columns, values, hidesFirst: false };
    return {
      at: "encoding-heatmap",
      title,
      code: answer ? encodingCode(answer) : ownRowsCode(),
      table: () => [],
      csv: () => mapAsCsv(source, counted(rows), counted(columns)),
      scene: () => this.renderRoot.querySelector<MapView>("wf-map-view"),
    };
  }

  protected override render() {
    const words = this.say(heatmapWords);
    const { shown, extent } = this;
    const answer = shown?.answer;
    const title = answer ? words.title(this.schemeName(answer.scheme)) : words.titleOwn;
    const limit = scaleEnd(extent ? [extent] : []);
    const scale = { limit, signed: true, log: false };
    return this.framed({
      name: words.name,
      title,
      reading: shown ? this.#reading(shown) : "",
      note: !shown ? "" : !answer ? this.own.own : answer.isInitial ? words.initial : words.defined,
      caveat: words.caveat,
      isQuiet: true,
      takeaway: shown && extent && this.#takeaway(shown, title),
      inside: shown ? this.#map(shown) : "",
      around: mapScale(words.scale, scale, this.say(zoomWords), "", this.state.theme),
    });
  }
}

customElements.define("wf-encoding-heatmap", EncodingHeatmap);
