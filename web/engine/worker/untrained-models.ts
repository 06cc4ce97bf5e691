/** Questions to untrained models: weights from a seed, nothing to download. */
import type { Engine, Model, ModelConfig } from "whereformer";
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

const kept = new Map<string, Model>();
const mostKept = 8;

/** The model of a config, made once and kept while it is among the last few used. */
export async function untrainedModel(wf: Engine, config: ModelConfig): Promise<Model> {
  const name = JSON.stringify(config);
  const model = kept.get(name) ?? (await wf.model(config));
  kept.delete(name);
  kept.set(name, model);
  if (kept.size > mostKept) {
    const [oldest, unused] = kept.entries().next().value!;
    kept.delete(oldest);
    unused.dispose();
  }
  return model;
}

/** Map of head 1 in the last layer, and the output vectors, of a token list. */
function look(model: Model, ids: readonly number[]): { map: Float32Array; hidden: Float32Array } {
  const result = model.run(ids, {
    record: ["weights", "hidden"],
    region: { layers: [model.config.numLayers - 1], heads: [0] },
  });
  return { map: result.weights!.data, hidden: result.hidden!.data };
}

/** Two orders of the same tokens through one layer that sees both ways. */
export async function comparePair(wf: Engine, question: PairQuestion): Promise<PairAnswer> {
  const model = await untrainedModel(wf, { ...chaseModel, scheme: asScheme(question.scheme) });
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

async function orderCase(
  wf: Engine,
  question: OrderQuestion,
  shape: { isCausal: boolean; numLayers: number },
): Promise<OrderCase> {
  const config = { ...orderModel, ...shape, seed: question.seed, scheme: asScheme(blindScheme) };
  const model = await untrainedModel(wf, config);
  const a = look(model, question.idsA);
  const b = look(model, question.idsB);
  const lastOf = (hidden: Float32Array) => hidden.slice(-orderModel.hiddenSize);
  return {
    ...shape,
    mapA: a.map,
    mapB: b.map,
    lastDifference: largestDifference(lastOf(a.hidden), lastOf(b.hidden)),
    lastSize: rootMeanSquare(lastOf(a.hidden)),
  };
}

/**
 * One exchange of the first two tokens, seen from the last one, in models that differ in mask and
 * depth.
 */
export async function compareOrders(wf: Engine, question: OrderQuestion): Promise<OrderAnswer> {
  const cases: OrderCase[] = [];
  for (const shape of orderCases) cases.push(await orderCase(wf, question, shape));
  return { cases };
}
