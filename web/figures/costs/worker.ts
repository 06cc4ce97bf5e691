/**
 * Times one attention layer with each scheme for text, in comparison with one without positions.
 */

import type { Engine, Model, SchemeDescription, SchemeSpec } from "whereformer";
import type { Job } from "whereformer/requests";
import { costLayer } from "../../defaults.js";
import { isRefusal } from "../../engine/worker/configured-scheme.js";
import { type Handlers, yieldToUrgent } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { median, middleHalf, type Pair, timePair } from "../../engine/worker/timing.js";
import type { CostSizes, MeasuredScheme, SchemeCostsAnswer } from "./messages.js";

const bytesPerNumber = 4;

/** Schemes for text that can also be continued. */
const isOfText = ({ positionAxes, claims }: SchemeDescription): boolean =>
  positionAxes < 2 && claims.decodes;

const addsNothing = ({ family }: SchemeDescription): boolean => family === "none";

/** Gives a table of positions as many rows as there are tokens. */
function specFor({ id, options }: SchemeDescription, { tokens }: CostSizes): SchemeSpec {
  const hasTable = options.some(({ key }) => key === "maxPositions");
  return (hasTable ? { id, options: { maxPositions: tokens + 1 } } : id) as SchemeSpec;
}

const layerOf = (wf: Engine, scheme: SchemeDescription, sizes: CostSizes): Promise<Model> =>
  wf.model({
    ...costLayer,
    hiddenSize: sizes.numHeads * sizes.headDim,
    numHeads: sizes.numHeads,
    headDim: sizes.headDim,
    scheme: specFor(scheme, sizes),
  });

/** Returns the engine's numbers for a scheme at these sizes. */
function formulaOf(wf: Engine, scheme: SchemeDescription, model: Model, sizes: CostSizes) {
  const { tokens, numHeads, headDim } = sizes;
  const width = numHeads * headDim;
  const spec = specFor(scheme, sizes);
  const options = typeof spec === "object" ? spec.options : {};
  const made = wf.scheme(scheme.id, { numHeads, headDim, ...options });
  // Under a causal mask a query has half of the keys on average, plus its own.
  const seen = (tokens + 1) / 2;
  const cost = made.cost({ queries: tokens, keys: Math.ceil(seen), width });
  made.dispose();
  const parameters = cost.modelParameters + cost.layerParameters;
  const products = 2 * tokens * (model.parameterCount - parameters);
  const attention = 4 * width * tokens * seen;
  return {
    parameters,
    cacheBytes: bytesPerNumber * cost.cacheFloats,
    operations: products + attention + cost.onceFlops + cost.layerFlops,
  };
}

interface Base {
  model: Model;
  /** Operations of one pass, by formula. */
  operations: number;
  ids: Int32Array;
}

/**
 * Times one scheme beside the layer without positions; undefined if these sizes do not fit the
 * scheme.
 */
async function measureScheme(
  wf: Engine,
  scheme: SchemeDescription,
  base: Base,
  sizes: CostSizes,
  job: Job,
): Promise<{ pair: Pair; row: Omit<MeasuredScheme, "microseconds"> } | undefined> {
  const model = await layerOf(wf, scheme, sizes);
  try {
    const pair = await timePair(
      () => base.model.loss(base.ids),
      () => model.loss(base.ids),
      job,
    );
    const { operations, parameters, cacheBytes } = formulaOf(wf, scheme, model, sizes);
    const ratios = pair.compared.map((time, round) => time / pair.base[round]!);
    const row = {
      scheme: scheme.id,
      ratio: median(ratios),
      range: middleHalf(ratios),
      formula: operations / base.operations,
      rounds: pair.compared.length,
      parameters,
      cacheBytes,
    };
    return { pair, row };
  } catch (reason) {
    // These sizes do not fit the scheme; the others continue.
    if (!isRefusal(reason, "invalid_argument")) throw reason;
    return undefined;
  } finally {
    model.dispose();
  }
}

/**
 * Times every scheme for text against the layer without one. Rows are ordered by formula: ordered
 * by measured time, schemes that cost next to nothing would be in random order.
 */
async function measureCosts(wf: Engine, sizes: CostSizes, job: Job): Promise<SchemeCostsAnswer> {
  const schemes = wf.schemes.filter(isOfText);
  const blind = schemes.find(addsNothing)!;
  const others = schemes.filter((scheme) => scheme !== blind);
  const length = sizes.tokens + 1;
  const ids = Int32Array.from({ length }, (_, i) => (i * i) % costLayer.vocabSize);
  const model = await layerOf(wf, blind, sizes);
  try {
    const { operations, parameters, cacheBytes } = formulaOf(wf, blind, model, sizes);
    const times: number[] = [];
    const rows: Omit<MeasuredScheme, "microseconds">[] = [];
    for (const [index, scheme] of others.entries()) {
      job.progress(index, others.length);
      await yieldToUrgent(job);
      const found = await measureScheme(wf, scheme, { model, operations, ids }, sizes, job);
      if (!found) continue;
      times.push(...found.pair.base);
      rows.push(found.row);
    }
    rows.sort((a, b) => a.formula - b.formula);
    // Devices change their speed within a second, so all times are multiples of one time of the
    // layer without positions.
    const microseconds = 1000 * median(times);
    const rounds = times.length;
    const alone = { ratio: 1, range: [1, 1] as const, formula: 1 };
    const plain = { scheme: blind.id, ...alone, rounds, parameters, cacheBytes };
    return {
      sizes,
      base: { ...plain, microseconds },
      quartiles: middleHalf(times.map((milliseconds) => 1000 * milliseconds)),
      rows: rows.map((row) => ({ ...row, microseconds: microseconds * row.ratio })),
      operations,
      variant: wf.variant,
    };
  } finally {
    model.dispose();
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "costs"> => ({
  costs: async (question, job) => measureCosts(await store.engine(), question, job),
});
