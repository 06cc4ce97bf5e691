/** One head's map before an operation, after it, and the difference. */
import type { Draw } from "../../controls/scene-view.js";
import { heatMapMarks } from "../../drawing/heat-map.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";
import { blankLabels, layOutMaps } from "../shared/maps-picture.js";

export interface Operated {
  labels: string[];
  before: Float32Array;
  after: Float32Array;
  difference: Float32Array;
  /** Largest absolute difference, rounded up. */
  limit: number;
  /** Row of the token that is moved. */
  framedRow: number | undefined;
}

export function drawOperated(shown: Operated | undefined, words: Text): Draw {
  return (width, palette, measure) => {
    const labels = shown?.labels ?? blankLabels;
    const layout = layOutMaps(labels, 3, width, measure);
    const { n, cell, isWide } = layout;
    const empty = new Float32Array(n * n);
    const maps = [
      { id: "before", values: shown?.before ?? empty },
      { id: "after", values: shown?.after ?? empty },
      { id: "difference", values: shown?.difference ?? empty },
    ] as const;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    maps.forEach(({ id, values }, index) => {
      const x = layout.left + (isWide ? index * layout.stepX : 0);
      const y = layout.above + (isWide ? 0 : index * layout.stepY);
      const signed = id === "difference";
      const text = words.surgery.maps[id];
      marks.push({
        kind: "text",
        x,
        y: y - layout.above + 14,
        text,
        fill: palette.ink,
        size: 14,
        weight: 600,
      });
      marks.push(
        ...heatMapMarks(
          {
            x,
            y,
            cell,
            rows: labels,
            columns: labels,
            values,
            limit: signed ? (shown?.limit ?? 1) : 1,
            signed,
            isCausal: true,
            labels: { rows: !isWide || index === 0 },
            ...(shown?.framedRow !== undefined && { framedRow: shown.framedRow }),
          },
          palette,
          measure,
        ),
      );
      if (!shown) return;
      const say = signed ? words.cellDifference : words.cell;
      grids.push({
        id,
        label: words.surgery.mapLabel(text),
        x,
        y,
        cellWidth: cell,
        cellHeight: cell,
        rows: n,
        columns: n,
        describe: (row, column) =>
          column > row
            ? words.cellMasked(row + 1, labels[row]!, labels[column]!)
            : say(row + 1, labels[row]!, labels[column]!, values[row * n + column]!),
      });
    });
    const height = isWide ? layout.above + n * cell + 6 : maps.length * layout.stepY;
    return { width, height, marks, grids };
  };
}
