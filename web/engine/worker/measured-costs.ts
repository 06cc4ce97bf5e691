/** How long one attention layer takes with each scheme of a text, beside one without positions. */
import type { Engine, Model, SchemeDescription, SchemeSpec } from "whereformer";
import { costLayer } from "../../defaults.js";
import type { CostSizes, MeasuredScheme, SchemeCostsAnswer } from "../both/messages.js";
import { isRefusal } from "./configured-scheme.js";

/** What is timed at once lasts so long, and by far longer than a step of the browser's clock. */
const sampleMilliseconds = 8;
const stepsInSample = 40;
const mostRounds = 5;
const leastRounds = 3;
/** Short work is easily cut in two by other work: of so many samples the least counts. */
const passesOfRound = 3;
const budgetMilliseconds = 400;
const bytesPerNumber = 4;

interface Duty {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

/** Schemes that a text can be read with and continued. */
const isOfText = ({ positionAxes, claims }: SchemeDescription): boolean =>
  positionAxes < 2 && claims.decodes;

const addsNothing = ({ family }: SchemeDescription): boolean => family === "none";

/** A table of positions gets as many rows as there are tokens. */
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

/** What the engine says of a scheme at these sizes. */
function formulaOf(wf: Engine, scheme: SchemeDescription, model: Model, sizes: CostSizes) {
  const { tokens, numHeads, headDim } = sizes;
  const width = numHeads * headDim;
  const spec = specFor(scheme, sizes);
  const options = typeof spec === "object" ? spec.options : {};
  const made = wf.scheme(scheme.id, { numHeads, headDim, ...options } as never);
  // Under a causal mask a query sees half of the keys, and itself.
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

/** Lets the worker hear whether it is to stop. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

/** The steps in which this clock goes, in milliseconds. */
function clockStep(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 3; again++) {
    const start = performance.now();
    let step = 0;
    while (step === 0) step = performance.now() - start;
    least = Math.min(least, step);
  }
  return least;
}

/** Milliseconds of one call, of as many as fill a sample. */
function timeOf(run: () => void, sample: number): number {
  const start = performance.now();
  let calls = 0;
  let passed = 0;
  do {
    run();
    calls++;
    passed = performance.now() - start;
  } while (passed < sample);
  return passed / calls;
}

/** The value that this share of the others lies below, between neighbours in a straight line. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

interface Pair {
  base: number[];
  own: number[];
}

/** Rounds in which both are timed, now the one first, now the other. */
async function timePair(base: () => void, own: () => void, { signal }: Duty): Promise<Pair> {
  const sample = Math.max(sampleMilliseconds, stepsInSample * clockStep());
  const times: Pair = { base: [], own: [] };
  // The first call takes memory and wakes the compiler.
  for (const run of [base, own]) run();
  const began = performance.now();
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() - began > budgetMilliseconds) break;
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
    for (let pass = 0; pass < passesOfRound; pass++) {
      await breathe();
      signal.throwIfAborted();
      for (const which of (round + pass) % 2 ? ([1, 0] as const) : ([0, 1] as const))
        least[which] = Math.min(least[which], timeOf(which ? own : base, sample));
      // What is much longer than a sample takes its own mean over interruptions.
      if (Math.min(...least) > 4 * sample) break;
    }
    times.base.push(least[0]);
    times.own.push(least[1]);
  }
  return times;
}

/** Every scheme of a text against the layer without one; the dearest last. */
export async function measureCosts(
  wf: Engine,
  sizes: CostSizes,
  duty: Duty,
): Promise<SchemeCostsAnswer> {
  const schemes = wf.schemes.filter(isOfText);
  const blind = schemes.find(addsNothing)!;
  const others = schemes.filter((scheme) => scheme !== blind);
  const ids = Int32Array.from(
    { length: sizes.tokens + 1 },
    (_, i) => (i * i) % costLayer.vocabSize,
  );
  const plain = await layerOf(wf, blind, sizes);
  const baseTimes: number[] = [];
  const rows: Omit<MeasuredScheme, "microseconds">[] = [];
  try {
    const own = formulaOf(wf, blind, plain, sizes);
    for (const [index, scheme] of others.entries()) {
      duty.progress(index, others.length);
      await breathe();
      duty.signal.throwIfAborted();
      const model = await layerOf(wf, scheme, sizes);
      try {
        const pair = await timePair(
          () => plain.loss(ids),
          () => model.loss(ids),
          duty,
        );
        const { operations, parameters, cacheBytes } = formulaOf(wf, scheme, model, sizes);
        baseTimes.push(...pair.base);
        rows.push({
          scheme: scheme.id,
          ratio: median(pair.own.map((time, round) => time / pair.base[round]!)),
          formula: operations / own.operations,
          rounds: pair.own.length,
          parameters,
          cacheBytes,
        });
      } catch (reason) {
        // A scheme that these sizes do not fit says so, and the others go on.
        if (!isRefusal(reason, "invalid_argument")) throw reason;
      } finally {
        model.dispose();
      }
    }
    rows.sort((a, b) => a.ratio - b.ratio);
    // Devices change their speed within a second: all times are of the one of the layer without positions.
    const microseconds = 1000 * median(baseTimes);
    return {
      sizes,
      base: {
        scheme: blind.id,
        microseconds,
        ratio: 1,
        formula: 1,
        rounds: baseTimes.length,
        parameters: own.parameters,
        cacheBytes: own.cacheBytes,
      },
      quartiles: [1000 * quantile(baseTimes, 0.25), 1000 * quantile(baseTimes, 0.75)],
      rows: rows.map((row) => ({ ...row, microseconds: microseconds * row.ratio })),
      operations: own.operations,
      variant: wf.variant,
    };
  } finally {
    plain.dispose();
  }
}
