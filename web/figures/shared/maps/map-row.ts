/** Maps of one text side by side, with one scale, one order and one marked cell. */
import type { Draw } from "../../../controls/scene-view.js";
import { cellMarks, type HeatMap, labelMarks } from "../../../drawing/heat-map.js";
import { columnLabelHeight, fittingCell, rowLabelWidth } from "../../../drawing/labels.js";
import type { Cell, Grid, Mark, Measure } from "../../../drawing/scene.js";
import type { Text } from "../../../text/index.js";
import { heading, headingLines } from "../pictures/captions.js";
import { mapGrid } from "./map-grid.js";

export interface MapInRow {
  id: string;
  title: string;
  /** Accessible name. */
  label: string;
  /** [n,n]; undefined values are drawn as an empty outline. */
  values: ArrayLike<number> | undefined;
  /** Limit of a difference, whose scale runs from -limit to limit; other maps run from 0 to 1. */
  limit?: number;
}

export interface MapRow extends Pick<HeatMap, "framedRow"> {
  /** The tokens; undefined without a text. */
  labels: readonly string[] | undefined;
  maps: readonly MapInRow[];
}

const titleHeight = 26;
const titleLine = 18;
/** Minimum space for the layers' numbers beside the thumbnails. */
const narrowestLabels = 20;
/** Smallest cells beside which labels of 11 pixels fit. */
const smallestNamed = 13;
/** Space between two maps: before the labels of rows, or before a map without them. */
const gaps = { named: 14, plain: 26 };

/** Labels of empty maps, about as many as there will be rows. */
export const blankLabels: readonly string[] = Array.from({ length: 14 }, () => "");

/** Returns the layout of the maps, which thumbnails of the same schemes below them share. */
export function layOutMaps(
  labels: readonly string[],
  count: number,
  width: number,
  measure: Measure,
) {
  const n = labels.length;
  const isWide = width >= 680;
  const across = isWide ? count : 1;
  const needed = (named: number, gap: number) => (cell: number) =>
    named * rowLabelWidth(labels, cell, measure) + across * n * cell + (across - 1) * gap;
  const tallest = isWide ? 340 : 360;
  const largest = Math.min(40, Math.max(1, Math.floor(tallest / n)));
  // Side by side, all maps have the same rows: if there is no room for the labels of each, they are
  // drawn once, at the left.
  const each = fittingCell(largest, 3, width, needed(across, gaps.named));
  const isEachNamed = each >= Math.min(largest, smallestNamed);
  const cell = isEachNamed ? each : fittingCell(largest, 3, width, needed(1, gaps.plain));
  const labelWidth = Math.ceil(rowLabelWidth(labels, cell, measure));
  const left = Math.max(narrowestLabels, labelWidth);
  const above = titleHeight + columnLabelHeight(labels, cell, measure);
  const gap = isEachNamed ? gaps.named : gaps.plain;
  const pitch = n * cell + gap + (isEachNamed ? labelWidth : 0);
  const stepX = Math.max(pitch, Math.min(350, (width - left + gap) / across));
  return { n, isWide, cell, left, above, stepX, stepY: above + n * cell + 14, isEachNamed };
}

/**
 * Draws the maps in a row, or one below the other on a narrow screen; the scene supplies the marked
 * cell.
 */
export function drawMapRow({ labels, maps, framedRow }: MapRow, text: Text): Draw {
  return (width, palette, measure) => {
    const tokens = labels ?? blankLabels;
    const { n, cell, isWide, left, stepX, isEachNamed, ...plain } = layOutMaps(
      tokens,
      maps.length,
      width,
      measure,
    );
    const titles = maps.map(({ title }) =>
      headingLines(title, isWide ? stepX - 16 : width, measure),
    );
    // Long names take several lines.
    const more = (Math.max(...titles.map(({ length }) => length)) - 1) * titleLine;
    const above = plain.above + more;
    const stepY = plain.stepY + more;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    const drawn: HeatMap[] = [];
    maps.forEach(({ id, label, values, limit }, index) => {
      const x = left + (isWide ? index * stepX : 0);
      const y = above + (isWide ? 0 : index * stepY);
      const map: HeatMap = {
        x,
        y,
        cell,
        rows: tokens,
        columns: tokens,
        values: values ?? new Float32Array(n * n),
        limit: limit ?? 1,
        signed: limit !== undefined,
        isCausal: true,
        framedRow,
        labels: { rows: isEachNamed || !isWide || index === 0 },
      };
      const last = y - above + 14 + more;
      const lines = titles[index]!;
      lines.forEach((line, row) => {
        marks.push(heading(palette, x, last - (lines.length - 1 - row) * titleLine, line));
      });
      marks.push(...cellMarks(map, palette));
      drawn.push(map);
      if (labels) grids.push(mapGrid(id, label, map, text));
    });
    const height = isWide ? above + n * cell + 6 : maps.length * stepY;
    const over = (active: Cell | undefined) => ({
      marks: drawn.flatMap((map) => labelMarks({ ...map, active }, palette, measure)),
    });
    return { width, height, marks, grids, over };
  };
}
