/**
 * Vectors that a scheme adds to token vectors, and the dot products of its rows: directly, and
 * through W_q and W_k of a trained model's first layer.
 */

import type { Engine, Model, Scheme } from "whereformer";
import type { Job } from "whereformer/requests";
import { addedView } from "../../defaults.js";
import { count, isRefusal, largestThatFits } from "../../engine/worker/configured-scheme.js";
import { type FirstLayer, firstLayer } from "../../engine/worker/first-layer.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { tensorsOf } from "../../engine/worker/saved-tensors.js";
import { shapeOf, trainedScheme } from "../../engine/worker/trained-scheme.js";
import type { AddedAnswer, AddedQuestion, ProjectedAnswer, ProjectedQuestion } from "./messages.js";

const { queries, distances } = addedView;
/** Scheme that a formula defines; the others need a model's table. */
const [byFormula] = addedView.schemes;

/** Sizes of the page's trained models, for use before one has loaded. */
const shape = { numHeads: 4, headDim: 32, hiddenSize: 128 };

/** Returns row · row' for each query and each key at each distance before it. */
function productsOf(a: Float32Array, b: Float32Array, width: number, from = 0, to = width) {
  return Float32Array.from({ length: queries.length * distances }, (_, index) => {
    const query = queries[Math.floor(index / distances)]!;
    const key = query - (index % distances);
    let sum = 0;
    for (let at = from; at < to; at++) sum += a[query * width + at]! * b[key * width + at]!;
    return sum;
  });
}

/** Pairs are (sin, cos): returns their rotation between positions 0 and 1. */
const frequenciesOf = (values: Float32Array, channels: number): Float32Array =>
  Float32Array.from({ length: channels / 2 }, (_, pair) =>
    Math.atan2(values[channels + 2 * pair]!, values[channels + 2 * pair + 1]!),
  );

/** Returns the engine's error for the first position that it rejects. */
function refusalAt(scheme: Scheme, position: number): string {
  try {
    scheme.embeddings([position]);
    return "";
  } catch (reason) {
    if (!isRefusal(reason, "invalid_argument")) throw reason;
    return (reason as Error).message;
  }
}

async function addedPosition(
  store: ModelStore,
  { folder, scheme: id, base }: AddedQuestion,
  job: Job,
): Promise<AddedAnswer> {
  const wf = await store.engine();
  const isFormula = id === byFormula;
  const model = isFormula ? undefined : await store.model(folder, id, job);
  const scheme = model ? trainedScheme(wf, model) : wf.scheme(id, { ...shape, base });
  try {
    const positions = largestThatFits(addedView.positions, 1, (size) => {
      scheme.embeddings([size - 1]);
      return size;
    });
    const { data, shape: size } = scheme.embeddings(count(positions));
    const channels = size[1]!;
    const values = data.slice();
    const refusal = positions < addedView.positions ? refusalAt(scheme, positions) : "";
    return {
      scheme: id,
      base,
      positions,
      channels,
      values,
      ...(isFormula ? { frequencies: frequenciesOf(values, channels) } : {}),
      products: productsOf(values, values, channels),
      ...(refusal ? { refusal } : {}),
    };
  } finally {
    scheme.dispose();
  }
}

/** Returns the first layer of a model that has loaded in full. */
function wholeOf(wf: Engine, model: Model): FirstLayer {
  const tensor = tensorsOf(model.save());
  return {
    ...shapeOf(model),
    gain: tensor("layers.0.input_layernorm.weight"),
    queries: tensor("layers.0.self_attn.q_proj.weight"),
    keys: tensor("layers.0.self_attn.k_proj.weight"),
    scheme: trainedScheme(wf, model),
  };
}

/** Without the part, the whole model is fetched, and its error is reported. */
const partOf = (wf: Engine, folder: string, id: string, job: Job) =>
  firstLayer(wf, new URL(`${id}/`, folder), job).catch(() => undefined);

/**
 * Computes (W_q G p_i) · (W_k G p_j) / √d in one head of the first layer; G has the weights of its
 * norm on the diagonal. Leaves out the norm's division by the size of word plus position, which is
 * one factor for each token.
 */
async function projectedPosition(
  store: ModelStore,
  { folder, scheme: id, head }: ProjectedQuestion,
  job: Job,
): Promise<ProjectedAnswer> {
  const wf = await store.engine();
  const layer =
    (id === byFormula && !store.models.has(id) && (await partOf(wf, folder, id, job))) ||
    wholeOf(wf, await store.model(folder, id, job));
  const { numHeads, headDim, hiddenSize, gain, scheme } = layer;
  const chosen = Math.min(head, numHeads - 1);
  const rows = Math.max(...queries) + 1;
  const { data } = scheme.embeddings(count(rows));
  scheme.dispose();
  const p = {
    data: data.map((value, at) => value * gain[at % hiddenSize]!),
    shape: [rows, hiddenSize],
  };
  const project = (weight: Float32Array): Float32Array => {
    const shape = [weight.length / hiddenSize, hiddenSize];
    return wf.matmul(p, { data: weight, shape }, { transposeB: true }).data;
  };
  const [from, to] = [chosen * headDim, (chosen + 1) * headDim];
  const [q, k] = [project(layer.queries), project(layer.keys)];
  const products = productsOf(q, k, numHeads * headDim, from, to);
  return {
    scheme: id,
    head: chosen,
    numHeads,
    products: products.map((value) => value / Math.sqrt(headDim)),
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "added" | "projected"> => ({
  added: (question, job) => addedPosition(store, question, job),
  projected: (question, job) => projectedPosition(store, question, job),
});
