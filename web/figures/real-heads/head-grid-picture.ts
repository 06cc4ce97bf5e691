/** All heads of all models as thumbnails: layers down, heads across, the chosen one framed. */
import type { Draw } from "../../controls/scene-view.js";
import { weightColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { ReadAnswer } from "../../engine/both/messages.js";
import { linesOf } from "../shared/captions.js";
import { blankLabels, layOutMaps } from "../shared/map-row.js";
import type { Column } from "../shared/session-figure.js";
import type { HeadsWords } from "./words.js";

/** Thumbnails have at most this many cells a side; longer maps keep the largest weight of each block. */
const mostCells = 24;

/** A map [n,n] shrunk to [m,m] by the largest value of each block, so that one sharp cell stays visible. */
export function shrink(map: ArrayLike<number>, n: number, m: number): Float32Array {
  const small = new Float32Array(m * m);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      const at = Math.floor((row * m) / n) * m + Math.floor((column * m) / n);
      small[at] = Math.max(small[at]!, map[row * n + column]!);
    }
  }
  return small;
}

/** Below the large maps where they stand side by side; else two models in a row, so that a finger can choose. */
function layOut(
  labels: readonly string[],
  count: number,
  heads: number,
  width: number,
  measure: Measure,
) {
  const maps = layOutMaps(labels, count, width, measure);
  if (maps.isWide) {
    const pitch = Math.floor(Math.min(maps.stepX - 26, Math.max(maps.n * maps.cell, 240)) / heads);
    return { isWide: true, left: maps.left, step: maps.stepX, pitch, across: count };
  }
  const left = 16;
  const gap = 14;
  const across = Math.min(2, count);
  const step = (width - left + gap) / across;
  const pitch = Math.floor((step - gap) / heads);
  return { isWide: false, left, step, pitch, across };
}

/** Draws the thumbnails of every model, in the order of the large maps. */
export function drawHeadGrid(
  reading: ReadAnswer | undefined,
  labels: readonly string[],
  chosen: { layer: number; head: number },
  models: readonly Column[],
  words: HeadsWords,
): Draw {
  return (width, palette, measure) => {
    const layers = reading?.numLayers || 4;
    const heads = reading?.numHeads || 4;
    const n = reading?.tokens.length ?? 0;
    const m = Math.min(n, mostCells);
    const layout = layOut(
      labels.length ? labels : blankLabels,
      models.length,
      heads,
      width,
      measure,
    );
    const { isWide, step, pitch, across } = layout;
    const cell = m ? (pitch - 5) / m : 0;
    // Bold is wider than measured.
    const title = linesOf(words.gridTitle, width / 1.1, measure, 14);
    // Where they do not stand under the large maps, models are named here.
    const above = isWide ? 38 : 60;
    const firstTop = 4 + title.length * 20 + above;
    const stepY = layers * pitch + above + 4;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    const label = (
      x: number,
      y: number,
      text: string,
      align: "left" | "center" = "left",
      weight = 400,
    ): Mark => ({
      kind: "text",
      x,
      y,
      text,
      fill: weight > 400 ? palette.ink : palette.soft,
      size: weight > 400 ? 14 : 12,
      align,
      weight,
    });
    title.forEach((text, row) => {
      marks.push(label(0, 24 + row * 20, text, "left", 600));
    });
    models.forEach(({ id, name }, index) => {
      const left = layout.left + (index % across) * step;
      const top = firstTop + Math.floor(index / across) * stepY;
      if (!isWide) marks.push(label(left, top - 26, name, "left", 600));
      if (index % across === 0)
        for (let layer = 0; layer < layers; layer++)
          marks.push(
            label(left - 10, top + (layer + 0.5) * pitch + 3, String(layer + 1), "center"),
          );
      const found = reading?.readings[index];
      for (let head = 0; head < heads; head++) {
        marks.push(label(left + (head + 0.5) * pitch - 2, top - 6, String(head + 1), "center"));
      }
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < heads; head++) {
          const x = left + head * pitch;
          const y = top + layer * pitch;
          const isChosen = layer === chosen.layer && head === chosen.head;
          if (found && n) {
            const at = (layer * heads + head) * n * n;
            const small = shrink(found.weights.subarray(at, at + n * n), n, m);
            const colours = [...small].map((value) =>
              value > 0.02 ? weightColour(palette, value, 1) : undefined,
            );
            marks.push({ kind: "cells", x, y, cell, gap: 0, rows: m, columns: m, colours });
          }
          marks.push({
            kind: "rect",
            x: x - 0.5,
            y: y - 0.5,
            width: pitch - 4,
            height: pitch - 4,
            stroke: isChosen ? palette.ink : palette.hair,
            lineWidth: isChosen ? 2 : 1,
          });
        }
      }
      if (!found) return;
      grids.push({
        id: `heads-${id}`,
        label: words.gridLabel(name),
        x: left,
        y: top,
        cellWidth: pitch,
        cellHeight: pitch,
        rows: layers,
        columns: heads,
        describe: (layer, head) =>
          words.headLabel(layer + 1, head + 1, found.meanDistances[layer * heads + head]!),
      });
    });
    const rows = Math.ceil(models.length / across);
    return { width, height: firstTop + rows * stepY - above, marks, grids };
  };
}
