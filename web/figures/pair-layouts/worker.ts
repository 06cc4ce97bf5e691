/** Channels that form a pair: the rotation as a matrix, and the loss when layouts are mixed up. */
import type { Engine, Model, SchemeSpec, Surgery } from "whereformer";
import type { Job } from "whereformer/requests";
import { asScheme, sightedScheme } from "../../defaults.js";
import { layoutHead } from "../../engine/both/rotated-heads.js";
import { count } from "../../engine/worker/configured-scheme.js";
import { heldOutLoss, scoredIn } from "../../engine/worker/held-out.js";
import { type Handlers, yieldToUrgent } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { withOtherRows } from "../../engine/worker/saved-tensors.js";
import type {
  LayoutsAnswer,
  LayoutsQuestion,
  MixedAnswer,
  MixedQuestion,
  PairLayout,
  ReadAs,
  RotatedRows,
} from "./messages.js";

const { size } = layoutHead;

/** Returns the rotation as a matrix, whose columns are the rotated unit vectors. */
function matrixOf(wf: Engine, distance: number, interleaved: boolean): Float32Array {
  const options = { numHeads: 1, headDim: size, interleaved };
  const scheme = wf.scheme(sightedScheme, options);
  try {
    const alone = Float32Array.from({ length: size * size }, (_, at) =>
      at % size === Math.floor(at / size) ? 1 : 0,
    );
    const positions = new Array<number>(size).fill(distance);
    const { data } = scheme.rotate({ data: alone, shape: [1, size, size] }, positions);
    return Float32Array.from(data, (_, at) => data[(at % size) * size + Math.floor(at / size)]!);
  } finally {
    scheme.dispose();
  }
}

/** Returns the other channel of a channel's pair, and whether it is the second of the two. */
function partnerOf(channel: number, layout: PairLayout): { partner: number; isSecond: boolean } {
  const half = layout === "halves" ? size / 2 : 1;
  const isSecond = Math.floor(channel / half) % 2 > 0;
  return { partner: isSecond ? channel - half : channel + half, isSecond };
}

/** Rotates the vector in both ways, with cosines and sines from the engine's matrix. */
function rowsOf(wf: Engine, matrix: Float32Array, layout: PairLayout): RotatedRows {
  const x = Float32Array.from(layoutHead.vector);
  const of = (value: (channel: number, partner: number, isSecond: boolean) => number) =>
    x.map((_, channel) => {
      const { partner, isSecond } = partnerOf(channel, layout);
      return value(channel, partner, isSecond);
    });
  const cosines = of((channel) => matrix[channel * size + channel]!);
  const sines = of((channel, partner, isSecond) =>
    isSecond ? matrix[channel * size + partner]! : matrix[partner * size + channel]!,
  );
  const exchanged = of((_, partner, isSecond) => (isSecond ? x[partner]! : -x[partner]!));
  const sum = of(
    (channel) => x[channel]! * cosines[channel]! + exchanged[channel]! * sines[channel]!,
  );
  const whole = { data: matrix, shape: [size, size] };
  const product = wf.matmul(whole, { data: x, shape: [size, 1] }).data.slice();
  return { x, cosines, exchanged, sines, sum, product };
}

function pairLayouts(wf: Engine, { distance }: LayoutsQuestion): LayoutsAnswer {
  const neighbours = matrixOf(wf, distance, true);
  const halves = matrixOf(wf, distance, false);
  const rows = {
    neighbours: rowsOf(wf, neighbours, "neighbours"),
    halves: rowsOf(wf, halves, "halves"),
  };
  return { distance, size, neighbours, halves, rows };
}

/**
 * Reorders rows of queries and keys from halves to neighbours: row t of a head to 2t, row t + d/2
 * to 2t + 1.
 */
function neighbourRows(rows: number, headDim: number): number[] {
  const half = headDim / 2;
  return count(rows).map((row) => {
    const at = row % headDim;
    return row - at + (at % 2) * half + Math.floor(at / 2);
  });
}

async function reordered(wf: Engine, model: Model): Promise<Model> {
  const { headDim, scheme } = model.config;
  const weights = withOtherRows(model.save(), (name, rows) =>
    /\.(?:q|k)_proj\.weight$/.test(name) ? neighbourRows(rows, headDim) : undefined,
  );
  const { id, options } = scheme[0]!;
  const config = { ...model.config, scheme: { id, options: { ...options, interleaved: true } } };
  return wf.model({ config: config as never, weights });
}

const known = new WeakMap<Model, MixedAnswer>();

async function mixLayouts(
  store: ModelStore,
  { folder }: MixedQuestion,
  job: Job,
): Promise<MixedAnswer> {
  const wf = await store.engine();
  const model = await store.model(folder, sightedScheme, job);
  const before = known.get(model);
  if (before) return before;
  const texts = await store.heldOut(folder, job);
  const { id, options } = model.config.scheme[0]!;
  const mixed = { id: asScheme(id as string), options: { ...options, interleaved: true } };
  const again = await reordered(wf, model);
  const lossesOf = async (read: Model, surgery?: Surgery) => {
    const losses = { en: 0, zh: 0 };
    for (const text of texts)
      losses[text.language] = await heldOutLoss(read, text, surgery, undefined, () =>
        yieldToUrgent(job),
      );
    return losses;
  };
  try {
    const losses: Record<ReadAs, { en: number; zh: number }> = {
      trained: await lossesOf(model),
      mixed: await lossesOf(model, { scheme: mixed as SchemeSpec }),
      reordered: await lossesOf(again),
    };
    const answer = { losses, scored: scoredIn(texts) };
    known.set(model, answer);
    return answer;
  } finally {
    again.dispose();
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "layouts" | "mixed"> => ({
  layouts: async (question) => pairLayouts(await store.engine(), question),
  mixed: (question, job) => mixLayouts(store, question, job),
});
