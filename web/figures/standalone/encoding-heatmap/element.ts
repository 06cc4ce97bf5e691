/**
 * `<wf-encoding-heatmap>`: vectors that positions add to token vectors, of any additive scheme, or
 * given ones.
 */

import { nothing } from "lit";
import type { MapNumbers } from "whereformer/elements";
import type { MapView } from "../../../controls/map-view.js";
import { addedView } from "../../../defaults.js";
import { define } from "../../../define.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { cellNumber } from "../../../text/numbers.js";
import type { PickedCell } from "../../shared/data/data-figure.js";
import { Memo } from "../../shared/figure/memo.js";
import { mapNumbers, ofKind, positive, text, whole } from "../../shared/given/kinds.js";
import { mapAsCsv } from "../../shared/maps/map-file.js";
import { valueIn } from "../../shared/maps/map-sources.js";
import { type FigureMap, MapsFigure } from "../../shared/maps/maps-figure.js";
import type { PlainTable } from "../../shared/tables/plain-table.js";
import { encodingCode, givenRowsCode } from "./code.js";
import { type Rows, rowsOfAddress, rowsOfAnswer, rowsOfValues } from "./rows.js";
import { heatmapWords } from "./words.js";
import "../../shared/figure/frame.js";

/** Maximum rows and columns of the table; the file has all numbers. */
const maxRows = 33;
const maxColumns = 16;

/** Returns at most `max` of 0 … count − 1, evenly spread, with the first and the last. */
function spread(count: number, max: number): number[] {
  const shown = Math.min(count, max);
  const step = shown > 1 ? (count - 1) / (shown - 1) : 0;
  return Array.from({ length: shown }, (_, at) => Math.round(at * step));
}

const counted = (length: number): string[] => Array.from({ length }, (_, at) => String(at));

export class EncodingHeatmap extends MapsFigure<Rows> {
  static override properties = {
    ...MapsFigure.properties,
    values: ofKind(mapNumbers),
    scheme: ofKind(text, addedView.schemes[0]),
    options: ofKind(text, ""),
    base: ofKind(positive()),
    length: ofKind(whole(1, 16_384), 128),
    dim: ofKind(whole(1, 4096), 64),
  };

  /** Given rows: [positions, channels], or { data, shape }. */
  declare values: MapNumbers | undefined;
  /** Id of a scheme that adds to token vectors, as in `wf.schemes`. */
  declare scheme: string;
  /** The scheme's options that differ from their defaults, `key:value;key:value`. */
  declare options: string;
  /** Base of the wavelengths, if the scheme has one. */
  declare base: number | undefined;
  /** Number of positions, from 0. */
  declare length: number;
  /** Number of channels. */
  declare dim: number;
  #line = new NewestWins("encoding");
  #sides = new Memo<Pick<FigureMap, "rowLabels" | "columnLabels">>();

  protected override get origins() {
    return {
      numbers: ["values"],
      asks: ["scheme", "options", "base", "length", "dim"],
      readsModels: false,
    };
  }

  protected get inputs() {
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

  protected get maps(): readonly FigureMap[] {
    const { shown } = this;
    if (!shown) return [];
    const { drawn: values, channels: rows, length: columns } = shown;
    const source = this.sources.of("map", [shown], () => {
      return { rows, columns, values, hidesFirst: false };
    });
    const sides = this.#sides.of([rows, columns], () => {
      return { rowLabels: counted(rows), columnLabels: counted(columns) };
    });
    return [{ id: "map", title: "", source, ...sides, isAboutZero: true }];
  }

  protected get look() {
    return { reduce: "max", log: false } as const;
  }

  protected override describe(_: FigureMap, channel: number, position: number, value: number) {
    return this.say(heatmapWords).cell(position, channel, value);
  }

  protected override picked({ row: channel, column: position }: PickedCell) {
    const { shown } = this;
    const value = shown?.values[position * shown.channels + channel];
    return value === undefined ? undefined : { position, channel, value };
  }

  #caption(shown: Rows, map: FigureMap): string {
    const source = map.source!;
    const cell = this.cellIn(source);
    if (cell) return this.describe(map, cell.row, cell.column, valueIn(source, cell));
    const peak = this.extents.get(map.id)?.peak;
    if (!peak) return "";
    const words = this.say(heatmapWords);
    const value = valueIn(source, peak);
    return words.caption(shown.length, shown.channels, peak.column, peak.row, value);
  }

  /** Returns a table of evenly spread positions and channels, few enough to read. */
  #table({ length, channels, values }: Rows): PlainTable {
    const words = this.say(heatmapWords);
    const shownChannels = spread(channels, maxColumns);
    const rows = spread(length, maxRows).map((position) => {
      const numbers = shownChannels.map((channel) =>
        cellNumber(values[position * channels + channel]!),
      );
      return [String(position), ...numbers];
    });
    return { label: words.table, columns: [words.corner, ...shownChannels.map(String)], rows };
  }

  #takeaway(shown: Rows, title: string) {
    const { length: rows, channels: columns, values, answer } = shown;
    const source = { rows, columns, values, hidesFirst: false };
    return {
      at: "encoding-heatmap",
      title,
      code: answer ? encodingCode(answer) : givenRowsCode(),
      table: () => [],
      csv: () => mapAsCsv(source, counted(rows), counted(columns)),
      scene: () => this.renderRoot.querySelector<MapView>("wf-map-view"),
    };
  }

  protected override render() {
    const words = this.say(heatmapWords);
    const { shown, extents } = this;
    const [map] = this.maps;
    const answer = shown?.answer;
    const title = answer ? words.title(this.schemeName(answer.scheme)) : words.titleGiven;
    return this.framed({
      name: words.name,
      title,
      caption: shown ? this.#caption(shown, map!) : "",
      note: !shown
        ? ""
        : !answer
          ? this.dataWords.given
          : answer.isInitial
            ? words.initial
            : words.defined,
      caveat: words.caveat,
      isQuiet: true,
      takeaway: shown && extents.size ? this.#takeaway(shown, title) : undefined,
      inside: map ? this.mapView(map, words.name) : "",
      around: shown ? this.scales("", words.scale) : nothing,
      table: shown && this.#table(shown),
    });
  }
}

define("wf-encoding-heatmap", EncodingHeatmap);
