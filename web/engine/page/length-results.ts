/**
 * Results of `npm run length`: loss of each scheme in windows longer than those of its training.
 */
import type { Language } from "../../defaults.js";

/** Mean and range over seeds, in bits per character. */
export interface Spread {
  mean: number;
  min: number;
  max: number;
  count: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  mean: values.reduce((a, b) => a + b) / values.length,
  min: Math.min(...values),
  max: Math.max(...values),
  count: values.length,
});

/** Loss at each multiple of the training length; `undefined` if the scheme is not defined there. */
export type Curve = readonly (Spread | undefined)[];

export interface LengthResults {
  /** Command that produced the results. */
  command: string;
  /** Tokens in a training window, and windows of the test at each length. */
  length: number;
  multiples: readonly number[];
  seeds: readonly number[];
  /** Sizes of the model, and its training. */
  numLayers: number;
  numHeads: number;
  channels: number;
  steps: number;
  batch: number;
  /** By scheme, in the recipe's order. */
  curves: ReadonlyMap<string, Readonly<Record<Language, Curve>>>;
  /** By scheme and seed, as measured. */
  raw: Readonly<Record<string, BySeed>>;
}

type BySeed = Readonly<Record<string, Readonly<Record<Language, readonly (number | null)[]>>>>;

interface LengthFile {
  command: string;
  plan: {
    schemes: Record<string, unknown>;
    small: {
      model: { num_hidden_layers: number; num_attention_heads: number; hidden_size: number };
      seeds: number[];
    };
    length: {
      training: { length: number; batch: number; steps: number };
      multiples: number[];
    };
  };
  results: Record<string, BySeed>;
}

function curveOf(seeds: BySeed, language: Language, count: number): Curve {
  return Array.from({ length: count }, (_, column) => {
    const found = Object.values(seeds).map((one) => one[language][column]);
    const values = found.filter((value) => typeof value === "number");
    // A table ends at the same length for every seed.
    if (!values.length || values.length < found.length) return undefined;
    return spreadOf(values);
  });
}

/** Parses the file that the command writes. */
export function readResults({ command, plan, results }: LengthFile): LengthResults {
  const { small, length } = plan;
  const { multiples } = length;
  const done = Object.keys(plan.schemes).filter((id) => results[id]);
  return {
    command,
    length: length.training.length,
    multiples,
    seeds: small.seeds,
    numLayers: small.model.num_hidden_layers,
    numHeads: small.model.num_attention_heads,
    channels: small.model.hidden_size,
    steps: length.training.steps,
    batch: length.training.batch,
    curves: new Map(
      done.map((id) => [
        id,
        {
          en: curveOf(results[id]!, "en", multiples.length),
          zh: curveOf(results[id]!, "zh", multiples.length),
        },
      ]),
    ),
    raw: results,
  };
}

/**
 * Returns the scheme with the smallest loss in the longest windows, of those that are defined
 * there.
 */
export function bestAtEnd(
  { curves }: Pick<LengthResults, "curves">,
  language: Language,
): { scheme: string; mean: number } | undefined {
  let best: { scheme: string; mean: number } | undefined;
  for (const [scheme, curve] of curves) {
    const end = curve[language].at(-1);
    if (end && (!best || end.mean < best.mean)) best = { scheme, mean: end.mean };
  }
  return best;
}
