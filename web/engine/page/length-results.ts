/**
 * Results of `npm run length`: what each scheme scores in windows longer than those it was trained
 * on.
 */
import type { Language } from "../../defaults.js";

/** Mean and range over seeds, in bits per character. */
export interface Spread {
  mean: number;
  least: number;
  most: number;
  count: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  mean: values.reduce((a, b) => a + b) / values.length,
  least: Math.min(...values),
  most: Math.max(...values),
  count: values.length,
});

/** At each multiple of the training length; `undefined` where the scheme is not defined. */
export type Curve = readonly (Spread | undefined)[];

export interface LengthResults {
  /** The command that made them. */
  command: string;
  /** Tokens in a window of the training, and the windows of the test in such lengths. */
  length: number;
  multiples: readonly number[];
  seeds: readonly number[];
  /** Sizes of the model, and how it was trained. */
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
    // A table ends for every seed alike.
    if (!values.length || values.length < found.length) return undefined;
    return spreadOf(values);
  });
}

/** Reads what the command has written. */
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

/** The scheme with the least loss in the longest windows, among those that are defined there. */
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
