/**
 * The picture of the rotating pairs: a single pair, then a dial for each pair, the pairs' parts of
 * the logit, and their sum against distance; step by step, or all at once.
 */
import type { Draw } from "../../controls/scene-view.js";
import type { Palette } from "../../drawing/colour.js";
import type { Measure } from "../../drawing/scene.js";
import type { RotationStep } from "../../engine/both/rotated-heads.js";
import { distanceChart } from "./distance-chart.js";
import type { RotationAnswer } from "./messages.js";
import { oneHandPanels } from "./one-hand.js";
import { pairRows, tallRows } from "./pair-rows.js";
import { pairWaves } from "./pair-waves.js";
import type { Columns, Panel } from "./panel.js";
import type { RotationWords } from "./words.js";

/** The columns and the side part of each step that shows all pairs. */
const steps: Record<Exclude<RotationStep, "one">, Columns & { chart?: "score" | "bound" }> = {
  many: { angles: true, shares: false },
  sum: { angles: true, shares: true },
  far: { angles: true, shares: true, chart: "score" },
  base: { angles: true, shares: true, chart: "bound" },
  all: { angles: false, shares: true, chart: "bound" },
};

/** Draws the rows of pairs, with their waves or the sum of these beside or below them. */
function pairPanels(
  shown: RotationAnswer,
  { chart, ...columns }: (typeof steps)[keyof typeof steps],
  width: number,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel[] {
  const isWide = width >= 760;
  const left = { x: 0, y: 0, width: isWide ? Math.min(430, width * 0.48) : width };
  if (!chart && !isWide) return [tallRows(shown, left, columns, words, palette)];
  const rows = pairRows(shown, left, columns, words, palette);
  const right = isWide
    ? { x: left.width + 48, y: 0, width: width - left.width - 48 }
    : { x: 0, y: rows.bottom + 24, width };
  const beside = chart
    ? distanceChart(shown, right, chart === "bound", words, palette, measure)
    : pairWaves(shown, right, columns, words, palette);
  return [rows, beside];
}

export function drawRotation(
  shown: RotationAnswer | undefined,
  step: RotationStep,
  words: RotationWords,
): Draw {
  return (width, palette, measure) => {
    if (!shown) return { width, height: width >= 760 ? 440 : 760, marks: [], grids: [] };
    const panels =
      step === "one"
        ? oneHandPanels(shown, width, words, palette, measure)
        : pairPanels(shown, steps[step], width, words, palette, measure);
    return {
      width,
      height: Math.max(...panels.map(({ bottom }) => bottom)),
      marks: panels.flatMap(({ marks }) => marks),
      grids: panels.flatMap(({ grids }) => grids),
    };
  };
}
