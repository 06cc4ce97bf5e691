/**
 * Decodes one token of latent attention in three forms: with every head's keys and values cached,
 * from the latents alone with W_UK moved to the query, and from the latents with all keys and
 * values computed again.
 */

import type { Attention, Engine, EngineTensor, Matrix, TensorLike } from "whereformer";
import type { Job } from "whereformer/requests";
import { formsLayer, sightedScheme } from "../../defaults.js";
import { count } from "../../engine/worker/configured-scheme.js";
import { normals } from "../../engine/worker/drawn-numbers.js";
import { type Handlers, yieldToUrgent } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { median, quantile, sampleLength, timeOf } from "../../engine/worker/timing.js";
import {
  type DecodingForm,
  decodingForms,
  type FormsAnswer,
  type FormsQuestion,
  type MeasuredForm,
} from "./messages.js";

const { numHeads, headDim, slice, rank } = formsLayer;
const width = headDim + slice;
const latentWidth = rank + slice;
const rounds = 5;

interface Weights {
  /** For each head: from [rank] to [headDim]; `absorbKey` is W_UK in the other direction. */
  upKey: Matrix[];
  upValue: Matrix[];
  absorbKey: Matrix[];
}

interface Layer extends Weights {
  wf: Engine;
  tokens: number;
  /** Content part of the query by head, and its rotated slice by head. */
  queries: Float32Array;
  rotatedQueries: Float32Array;
  /** Latent of the newest token, and latents of all tokens. */
  newest: TensorLike;
  latents: EngineTensor;
  rotatedKeys: Float32Array;
  expanded: { k: EngineTensor; v: EngineTensor };
  absorbed: { k: EngineTensor; v: EngineTensor };
  byHead: Attention;
  shared: Attention;
}

function makeWeights(wf: Engine): Weights {
  const size = headDim * rank;
  const deviation = 1 / Math.sqrt(rank);
  const of = (seed: number) => ({ data: normals(seed, size, deviation), shape: [headDim, rank] });
  const keys = count(numHeads).map((head) => of(100 + head));
  const values = count(numHeads).map((head) => of(200 + head));
  return {
    upKey: keys.map((weight) => wf.matrix(weight, { transposeB: true })),
    upValue: values.map((weight) => wf.matrix(weight, { transposeB: true })),
    absorbKey: keys.map((weight) => wf.matrix(weight)),
  };
}

/** Returns the rows of `left` and of `right` side by side. */
function joined(left: Float32Array, right: Float32Array, rows: number): Float32Array {
  const [a, b] = [left.length / rows, right.length / rows];
  const result = new Float32Array(rows * (a + b));
  for (let row = 0; row < rows; row++) {
    result.set(left.subarray(row * a, (row + 1) * a), row * (a + b));
    result.set(right.subarray(row * b, (row + 1) * b), row * (a + b) + a);
  }
  return result;
}

function rotated(wf: Engine, data: Float32Array, rows: number, positions: number[]): Float32Array {
  const options = { numHeads: 1, headDim: slice, interleaved: true };
  const scheme = wf.scheme(sightedScheme, options);
  const result = scheme.rotate({ data, shape: [1, rows, slice] }, positions).data.slice();
  scheme.dispose();
  return result;
}

/** Computes keys and values of every head from all latents; `into` holds buffers to reuse. */
function makeAll(
  { wf, upKey, upValue, rotatedKeys }: Weights & Pick<Layer, "wf" | "rotatedKeys">,
  latents: EngineTensor,
  into: { k: Float32Array; v: Float32Array },
): void {
  const tokens = latents.shape[0]!;
  for (const head of count(numHeads)) {
    const key = wf.matmul(latents, upKey[head]!).data;
    into.k.set(joined(key, rotatedKeys, tokens), head * tokens * width);
    into.v.set(wf.matmul(latents, upValue[head]!).data, head * tokens * headDim);
  }
}

const lists = (tokens: number) => ({
  k: new Float32Array(numHeads * tokens * width),
  v: new Float32Array(numHeads * tokens * headDim),
});

function makeLayer(wf: Engine, tokens: number): Layer {
  const weights = makeWeights(wf);
  const all = normals(1, tokens * rank);
  const latents = wf.tensor({ data: all, shape: [tokens, rank] });
  const rotatedKeys = rotated(wf, normals(2, tokens * slice), tokens, count(tokens));
  const last = count(numHeads).map(() => tokens - 1);
  const { k, v } = lists(tokens);
  makeAll({ ...weights, wf, rotatedKeys }, latents, { k, v });
  // Keys are already rotated, so attention has no scheme; the scale is that of all forms.
  const scale = 1 / Math.sqrt(width);
  return {
    ...weights,
    wf,
    tokens,
    latents,
    rotatedKeys,
    queries: normals(3, numHeads * headDim),
    rotatedQueries: rotated(wf, normals(4, numHeads * slice), numHeads, last),
    newest: { data: all.slice(-rank), shape: [1, rank] },
    expanded: {
      k: wf.tensor({ data: k, shape: [numHeads, tokens, width] }),
      v: wf.tensor({ data: v, shape: [numHeads, tokens, headDim] }),
    },
    absorbed: {
      k: wf.tensor({ data: joined(all, rotatedKeys, tokens), shape: [1, tokens, latentWidth] }),
      v: wf.tensor({ data: all, shape: [1, tokens, rank] }),
    },
    byHead: wf.attention({ numHeads, headDim: width, valueDim: headDim, scale }),
    shared: wf.attention({ numHeads, numKvHeads: 1, headDim: latentWidth, valueDim: rank, scale }),
  };
}

function dispose(layer: Layer): void {
  const { upKey, upValue, absorbKey, latents, expanded, absorbed, byHead, shared } = layer;
  for (const matrix of [...upKey, ...upValue, ...absorbKey]) matrix.dispose();
  for (const one of [latents, expanded.k, expanded.v, absorbed.k, absorbed.v]) one.dispose();
  byHead.dispose();
  shared.dispose();
}

const queryOf = ({ queries, rotatedQueries }: Layer): TensorLike => ({
  data: joined(queries, rotatedQueries, numHeads),
  shape: [numHeads, 1, width],
});

/** Each form returns the output of one token, [numHeads,headDim]. */
const steps: Record<DecodingForm, (layer: Layer) => Float32Array> = {
  expanded: (layer) => {
    const { wf, newest, upKey, upValue, byHead, expanded } = layer;
    // Key and value of the newest token, which would be added to the cache.
    for (const matrix of [...upKey, ...upValue]) wf.matmul(newest, matrix);
    return byHead.run({ q: queryOf(layer), ...expanded }).output.data;
  },
  absorbed: ({ wf, queries, rotatedQueries, absorbKey, upValue, shared, absorbed }) => {
    const moved = new Float32Array(numHeads * rank);
    for (const head of count(numHeads)) {
      const data = queries.subarray(head * headDim, (head + 1) * headDim);
      moved.set(wf.matmul({ data, shape: [1, headDim] }, absorbKey[head]!).data, head * rank);
    }
    const q = { data: joined(moved, rotatedQueries, numHeads), shape: [numHeads, 1, latentWidth] };
    const seen = shared.run({ q, ...absorbed }).output.data;
    const output = new Float32Array(numHeads * headDim);
    for (const head of count(numHeads)) {
      const data = seen.subarray(head * rank, (head + 1) * rank);
      output.set(wf.matmul({ data, shape: [1, rank] }, upValue[head]!).data, head * headDim);
    }
    return output;
  },
  remade: (layer) => {
    const { byHead, latents, tokens } = layer;
    const into = lists(tokens);
    makeAll(layer, latents, into);
    const k = { data: into.k, shape: [numHeads, tokens, width] };
    const v = { data: into.v, shape: [numHeads, tokens, headDim] };
    return byHead.run({ q: queryOf(layer), k, v }).output.data;
  },
};

/** Returns the multiplications and additions of one token. */
function operationsOf(form: DecodingForm, tokens: number): number {
  const ups = 2 * numHeads * 2 * headDim * rank;
  const expanded = 2 * numHeads * tokens * (width + headDim);
  if (form === "absorbed") return ups + 2 * numHeads * tokens * (latentWidth + rank);
  return expanded + ups * (form === "remade" ? tokens : 1);
}

const largest = (values: Iterable<number>): number => {
  let max = 0;
  for (const value of values) max = Math.max(max, Math.abs(value));
  return max;
};

async function timeForms(wf: Engine, { tokens }: FormsQuestion, job: Job): Promise<FormsAnswer> {
  const layer = makeLayer(wf, tokens);
  try {
    await yieldToUrgent(job);
    const outputs = decodingForms.map((form) => steps[form](layer).slice());
    const [first] = outputs;
    const apart = outputs.map((output) => largest(output.map((value, at) => value - first![at]!)));
    const sample = sampleLength();
    const times = new Map<DecodingForm, number[]>(decodingForms.map((form) => [form, []]));
    const total = rounds * decodingForms.length;
    for (let done = 0; done < total; done++) {
      job.progress(done, total);
      await yieldToUrgent(job);
      const form = decodingForms[done % decodingForms.length]!;
      times.get(form)!.push(1000 * timeOf(() => steps[form](layer), sample));
    }
    const forms = decodingForms.map((form): MeasuredForm => {
      const samples = times.get(form)!;
      return {
        form,
        microseconds: median(samples),
        quartiles: [quantile(samples, 0.25), quantile(samples, 0.75)],
        cached: form === "expanded" ? numHeads * (width + headDim) : latentWidth,
        operations: operationsOf(form, tokens),
      };
    });
    const difference = largest(apart);
    return { tokens, forms, difference, size: largest(first!), variant: wf.variant };
  } finally {
    dispose(layer);
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "forms"> => ({
  forms: async (question, job) => timeForms(await store.engine(), question, job),
});
