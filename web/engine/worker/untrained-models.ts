/** Questions to untrained models: weights from a seed, without a download. */
import type { FirstModel, FirstModelConfig } from "whereformer/first-engine";
import { asScheme, blindScheme, chaseModel, orderCases, orderModel } from "../../defaults.js";
import {
  largestDifference,
  meanOfTokens,
  putBack,
  rootMeanSquare,
  subtract,
} from "../both/measures.js";
import type {
  OrderAnswer,
  OrderCase,
  OrderQuestion,
  PairAnswer,
  PairQuestion,
} from "../both/messages.js";

/** What makes the models: an engine, or the part of one that has loaded first. */
interface Maker<Config, Made> {
  model(config: Config): Promise<Made>;
}

/** The first figure's part of an engine. */
export type UntrainedEngine = Maker<FirstModelConfig, Pick<FirstModel, keyof FirstModel>>;
type Model = Awaited<ReturnType<UntrainedEngine["model"]>>;

interface Disposable {
  dispose(): void;
}

/** The models of each engine, by their configs. */
const kept = new WeakMap<object, Map<string, Disposable>>();
const maxKept = 8;

function keptBy<Made extends Disposable>(wf: Maker<never, Made>): Map<string, Made> {
  const models = kept.get(wf) ?? new Map<string, Disposable>();
  kept.set(wf, models);
  return models as Map<string, Made>;
}

/** Frees all models of an engine. */
export function forget(wf: UntrainedEngine): void {
  for (const model of keptBy(wf).values()) model.dispose();
  kept.delete(wf);
}

/**
 * Calls `use` with the model of a config, which is created once and cached while it is among those
 * used last. `use` runs at once: after a wait, other calls could have evicted the model.
 */
export async function withUntrained<Config, Made extends Disposable, T>(
  wf: Maker<Config, Made>,
  config: Config,
  use: (model: Made) => T,
): Promise<T> {
  const models = keptBy(wf);
  const name = JSON.stringify(config);
  const made = models.get(name) ?? (await wf.model(config));
  // Another call may have created the model in the meantime.
  const model = models.get(name) ?? made;
  if (made !== model) made.dispose();
  models.delete(name);
  models.set(name, model);
  if (models.size > maxKept) {
    const [oldest, unused] = models.entries().next().value!;
    models.delete(oldest);
    unused.dispose();
  }
  return use(model);
}

/**
 * Returns the maps of the first head in all layers, that of the last layer, and the output vectors,
 * for a list of tokens.
 */
function look(model: Model, ids: readonly number[]) {
  const result = model.run(ids, { record: ["weights", "hidden"], region: { heads: [0] } });
  const all = result.weights.data;
  return { all, map: all.slice(-ids.length * ids.length), hidden: result.hidden.data };
}

/** Compares two orders of the same tokens in one layer without a causal mask. */
export const comparePair = (wf: UntrainedEngine, question: PairQuestion): Promise<PairAnswer> =>
  withUntrained(wf, { ...chaseModel, scheme: asScheme(question.scheme) }, (model) =>
    pairOf(model, question),
  );

function pairOf(model: Model, question: PairQuestion): PairAnswer {
  const a = look(model, question.idsA);
  const b = look(model, question.idsB);
  const restored = putBack(b.map, question.order);
  const tokens = question.idsA.length;
  return {
    mapA: a.map,
    mapB: b.map,
    difference: subtract(restored, a.map),
    largestDifference: largestDifference(restored, a.map),
    pooledDifference: largestDifference(
      meanOfTokens(a.hidden, tokens),
      meanOfTokens(b.hidden, tokens),
    ),
    seed: chaseModel.seed,
    parameterCount: model.parameterCount,
  };
}

function orderCase(
  model: Model,
  question: OrderQuestion,
  shape: { isCausal: boolean; numLayers: number },
): OrderCase {
  const a = look(model, question.idsA);
  const b = look(model, question.idsB);
  const lastOf = (hidden: Float32Array) => hidden.slice(-orderModel.hiddenSize);
  return {
    ...shape,
    mapA: a.map,
    mapB: b.map,
    allA: a.all,
    allB: b.all,
    lastDifference: largestDifference(lastOf(a.hidden), lastOf(b.hidden)),
    lastSize: rootMeanSquare(lastOf(a.hidden)),
  };
}

/**
 * Exchanges the first two tokens, and compares the last one's output in models that differ in mask
 * and depth.
 */
export async function compareOrders(
  wf: UntrainedEngine,
  question: OrderQuestion,
): Promise<OrderAnswer> {
  const cases: OrderCase[] = [];
  for (const shape of orderCases) {
    const config = { ...orderModel, ...shape, seed: question.seed, scheme: asScheme(blindScheme) };
    cases.push(await withUntrained(wf, config, (model) => orderCase(model, question, shape)));
  }
  return { cases };
}
