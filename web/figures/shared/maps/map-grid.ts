/** An attention map as a grid whose cells a reader moves through, with a text for each cell. */
import { type HeatMap, isMasked } from "../../../drawing/heat-map.js";
import type { Grid } from "../../../drawing/scene.js";
import type { Text } from "../../../text/index.js";

export function mapGrid(
  id: string,
  label: string,
  map: HeatMap,
  text: Text,
  say: Text["cell"] = map.signed ? text.cellDifference : text.cell,
): Grid {
  const { x, y, cell, rows, columns, values } = map;
  return {
    id,
    label,
    x,
    y,
    cellWidth: cell,
    cellHeight: cell,
    rows: rows.length,
    columns: columns.length,
    describe: (row, column) =>
      isMasked(map, row, column)
        ? text.cellMasked(row + 1, rows[row]!, columns[column]!)
        : say(row + 1, rows[row]!, columns[column]!, values[row * columns.length + column]!),
  };
}
