/** Maps whose numbers a program supplies when they are shown: one head, and one part, at a time. */
import type { MapsOnDemand } from "whereformer/elements";
import { MapParts, type Overview } from "../../drawing/map-parts.js";
import type { Reduce } from "../../drawing/map-pyramid.js";
import { longestMapSide, type SmallHeads } from "../../engine/both/map-messages.js";
import { isTooLong, type MapSizes, mapSizes } from "../../engine/both/map-shape.js";
import { isObject } from "../shared/given/kinds.js";
import { refused } from "../shared/given/refused.js";

export const isOnDemand = (weights: unknown): weights is MapsOnDemand =>
  isObject(weights) && typeof weights["head"] === "function";

export interface ShownHead {
  layer: number;
  head: number;
  reduce: Reduce;
  hideFirst: boolean;
}

export function sizesOf({ shape }: MapsOnDemand): MapSizes {
  const sizes = mapSizes(shape);
  if (!sizes) throw refused("weights.shape", shape, { expected: "shape" });
  if (isTooLong(sizes))
    throw refused("weights.shape", shape, { expected: "side", max: longestMapSide });
  return sizes;
}

/** Checks that a program has supplied as many numbers as were requested. */
function counted(name: string, numbers: ArrayLike<number>, max: number): Float32Array {
  if (numbers?.length !== max)
    throw refused(name, numbers, { expected: "count", max, choices: "weights.shape" });
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

/** Requests the overview of a head, and its parts as they come into view. */
export async function partsOfHead(weights: MapsOnDemand, wanted: ShownHead): Promise<MapParts> {
  const { layers, heads, rows, columns } = sizesOf(weights);
  const layer = Math.min(wanted.layer, layers - 1);
  const head = Math.min(wanted.head, heads - 1);
  const asked = { ...wanted, layer, head };
  const found = await weights.head(asked);
  const { side } = found;
  if (!Number.isInteger(Math.log2(side)))
    throw refused("weights.head.side", side, { expected: "whole", min: 1 });
  const count = Math.ceil(rows / side) * Math.ceil(columns / side);
  const overview: Overview = {
    ...found,
    peak: found.peak ?? undefined,
    values: counted("weights.head.values", found.values, count),
    counts: found.counts && counted("weights.head.counts", found.counts, count),
  };
  return new MapParts(rows, columns, wanted.reduce, overview, async (part) =>
    counted("weights.part", await weights.part({ ...asked, ...part }), part.rows * part.columns),
  );
}

/** Requests small maps of all heads of a layer. */
export async function headsOfLayer(weights: MapsOnDemand, wanted: number): Promise<SmallHeads> {
  const { layers, heads } = sizesOf(weights);
  const { rows, columns, values } = await weights.heads({ layer: Math.min(wanted, layers - 1) });
  return { heads, rows, columns, values: counted("weights.heads", values, heads * rows * columns) };
}

/** Returns blanks as large as the small maps, so that nothing moves when those arrive. */
export function blanksOf(weights: MapsOnDemand): SmallHeads {
  const { heads, ...size } = sizesOf(weights);
  const [rows, columns] = [Math.min(size.rows, 32), Math.min(size.columns, 32)];
  return {
    heads,
    rows,
    columns,
    values: new Float32Array(heads * rows * columns).fill(Number.NaN),
  };
}
