/** The map of one head on a long text, and how its pairs of channels contribute by distance. */
import type { Engine, Model, SchemeSpec, Surgery } from "whereformer";
import type { Job } from "whereformer/requests";
import {
  asScheme,
  distanceView,
  type GhostView,
  ghostSizes,
  type StretchMethod,
  sightedScheme,
  stretchHeads,
} from "../../defaults.js";
import {
  fitWave,
  type GhostAnswer,
  type GhostQuestion,
  type PairWave,
  returningPair,
  rowStart,
} from "../both/ghost-messages.js";
import { yieldToUrgent } from "./job.js";
import type { ModelStore } from "./model-store.js";
import { heldOutText } from "./read-maps.js";
import { scalingOf } from "./rope-scaling.js";
import { tokenTexts } from "./token-texts.js";

const { layer, head, tokens: longest, sampled, sampledRows } = ghostSizes;
const { length: trained } = stretchHeads.small;
const region = { layers: [layer], heads: [head] };

const methods: Partial<Record<GhostView, StretchMethod>> = { ntk: "ntk", yarn: "yarn" };

/** Returns the options of the model's scheme, stretched as the view says. */
function optionsOf(model: Model, view: GhostView): Record<string, unknown> {
  const { options } = model.config.scheme[0]!;
  const method = methods[view] ?? "none";
  const scaling = scalingOf({ method, factor: longest / trained, length: trained });
  return { ...options, ...scaling };
}

/**
 * Returns the mean contribution of each pair to the logits of this head, at distances 0, 1, 2 …,
 * over its last queries.
 */
export function meanByPair(
  model: Model,
  ids: readonly number[],
  count: number,
  surgery: Surgery | undefined,
): Float64Array[] {
  const rows = Array.from({ length: sampledRows }, (_, row) => sampled - sampledRows + row);
  const { pairs } = model.run(ids.slice(0, sampled), {
    record: ["pairs"],
    region: { ...region, rows },
    ...(surgery && { surgery }),
  });
  const { data } = pairs!;
  const distances = sampled - sampledRows + 1;
  return Array.from({ length: count }, (_, pair) => {
    const mean = new Float64Array(distances);
    for (const [at, row] of rows.entries())
      for (let distance = 0; distance < distances; distance++)
        mean[distance]! += data[(at * sampled + row - distance) * count + pair]! / sampledRows;
    return mean;
  });
}

/** Returns the mean contribution of each pair by distance, as waves. */
function wavesOf(
  wf: Engine,
  model: Model,
  ids: readonly number[],
  view: GhostView,
  surgery: Surgery | undefined,
): PairWave[] {
  const { headDim } = model.config;
  const scheme = wf.scheme(sightedScheme, {
    numHeads: 1,
    headDim,
    ...optionsOf(model, view),
  } as Parameters<Engine["scheme"]>[1]);
  const { inverseFrequencies } = scheme.frequencies(longest);
  scheme.dispose();
  const means = meanByPair(model, ids, inverseFrequencies.length, surgery);
  return Array.from(inverseFrequencies, (radians, pair) => fitWave(means[pair]!, radians));
}

/** Returns the lower triangle of a map [n,n], row after row. */
function triangleOf(map: Float32Array, n: number): Float32Array {
  const triangle = new Float32Array(rowStart(n));
  for (let row = 0; row < n; row++)
    triangle.set(map.subarray(row * n, row * n + row + 1), rowStart(row));
  return triangle;
}

function meanByDistance(triangle: Float32Array, n: number): Float32Array {
  const sums = new Float32Array(n);
  for (let row = 0; row < n; row++)
    for (let distance = 0; distance <= row; distance++)
      sums[distance]! += triangle[rowStart(row) + row - distance]!;
  return sums.map((sum, distance) => sum / (n - distance));
}

export async function readGhosts(
  store: ModelStore,
  { folder, language, view }: GhostQuestion,
  job: Job,
): Promise<GhostAnswer> {
  const wf = await store.engine();
  const tokenizer = await store.tokenizer(folder, job);
  const text = await heldOutText(folder, language, job.signal);
  const ids = tokenizer.encode(text).slice(0, longest);
  const id = view === "bias" ? distanceView.first : sightedScheme;
  const model = await store.model(folder, id, { signal: job.signal, progress: () => {} });
  const scheme = { id: asScheme(id as string), options: optionsOf(model, view) } as SchemeSpec;
  const isRotary = view !== "bias";
  const stretched: Surgery | undefined = methods[view] && { scheme };
  await yieldToUrgent(job);
  const plain = isRotary ? wavesOf(wf, model, ids, "plain", undefined) : [];
  await yieldToUrgent(job);
  const pairs = stretched ? wavesOf(wf, model, ids, view, stretched) : plain;
  await yieldToUrgent(job);
  const pair = returningPair(plain, trained, ids.length);
  const dropPairs = pair === undefined ? [] : [pair];
  const surgery = view === "without" ? { ...region, dropPairs } : stretched;
  const { weights: map } = model.run(ids, {
    record: ["weights"],
    region,
    ...(surgery && { surgery }),
  });
  const weights = triangleOf(map!.data, ids.length);
  return {
    language,
    view,
    tokens: tokenTexts(ids, tokenizer.decode),
    weights,
    byDistance: meanByDistance(weights, ids.length),
    trained,
    pairs,
    ...(pair !== undefined && { returning: { pair, period: plain[pair]!.period } }),
  };
}
