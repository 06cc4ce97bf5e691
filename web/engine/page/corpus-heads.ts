/**
 * Where each head of a trained model looks over the whole held-out text: the heads.json beside its
 * weights, fetched when a figure asks for it.
 */
import type { Language } from "../../defaults.js";

/** Mean attention weights on what is looked for. `metre` only where the text has verse. */
export interface Scores {
  previous: number;
  induction: number;
  delimiter: number;
  metre?: number;
  /** Share of all attention at offsets −reach − 1 (all that is farther away), −reach … 0. */
  mass: readonly number[];
}

export interface HeadScores extends Scores {
  /** Of each term, its share in the variance of a row's scores; together 1. */
  terms: Readonly<Record<string, number>>;
}

export interface HeldOutHeads {
  /** What a head would score that spreads its attention evenly. */
  uniform: Scores;
  /** By layer and head, `"0.3"`. */
  heads: ReadonlyMap<string, HeadScores>;
}

export interface CorpusHeads {
  /** Tokens in a window of the text, and the farthest distance with a number of its own. */
  length: number;
  reach: number;
  texts: Readonly<Record<Language, HeldOutHeads>>;
}

interface HeadsFile extends Omit<CorpusHeads, "texts"> {
  results: Record<Language, { uniform: Scores } & Record<string, HeadScores>>;
}

const heldOut = ({ uniform, ...heads }: HeadsFile["results"]["en"]): HeldOutHeads => ({
  uniform,
  heads: new Map(Object.entries(heads)),
});

/** Reads what `npm run heads` has written. */
export function readHeads({ length, reach, results }: HeadsFile): CorpusHeads {
  return { length, reach, texts: { en: heldOut(results.en), zh: heldOut(results.zh) } };
}

export class Corpus {
  #heads = new Map<string, CorpusHeads>();
  #asked = new Set<string>();

  /** `come` is called when a scheme's numbers are there. */
  constructor(private readonly come: () => void) {}

  of(scheme: string): CorpusHeads | undefined {
    return this.#heads.get(scheme);
  }

  /**
   * Fetches what has not been asked for yet; a file that does not come leaves its scheme without
   * numbers.
   */
  want(folder: string, schemes: readonly string[]): void {
    for (const scheme of schemes) {
      if (this.#asked.has(scheme)) continue;
      this.#asked.add(scheme);
      void this.#fetch(new URL(`${scheme}/heads.json`, folder), scheme);
    }
  }

  async #fetch(address: URL, scheme: string): Promise<void> {
    try {
      const response = await fetch(address);
      this.#heads.set(scheme, readHeads((await response.json()) as HeadsFile));
    } catch {
      this.#asked.delete(scheme);
      return;
    }
    this.come();
  }
}

/** The held-out text to set a text beside: Chinese where it has Chinese characters. */
export const likeText = (text: string): Language => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

/**
 * Mean weight at each distance 0, 1 … `reach`, over the rows that have a key that far back and are
 * not the first of their window: what `weightByDistance` is of one map.
 */
export function massByDistance(
  { mass }: Pick<Scores, "mass">,
  { length, reach }: Pick<CorpusHeads, "length" | "reach">,
): Float32Array {
  return Float32Array.from({ length: reach + 1 }, (_, distance) => {
    const sum = mass[reach + 1 - distance]! * length;
    // A window's first token can only look at itself.
    return distance ? sum / (length - distance) : (sum - 1) / (length - 1);
  });
}

/** Share of attention that stays within `near` tokens back. */
export const massWithin = ({ mass }: Pick<Scores, "mass">, near: number): number =>
  mass.slice(-near - 1).reduce((sum, part) => sum + part, 0);

export const scoreKinds = ["previous", "induction", "delimiter", "metre", "position"] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/**
 * A head's score; `undefined` where there is none: no verse, or a position that has no term of its
 * own.
 */
export function scoreOf(scores: Scores | HeadScores, kind: ScoreKind): number | undefined {
  if (kind !== "position") return scores[kind];
  if (!("terms" in scores) || Object.keys(scores.terms).length < 2) return undefined;
  return 1 - (scores.terms["content"] ?? 0);
}

export interface Strongest {
  layer: number;
  head: number;
  value: number;
}

/** The head that scores most. */
export function strongestHead({ heads }: HeldOutHeads, kind: ScoreKind): Strongest | undefined {
  let best: Strongest | undefined;
  for (const [name, scores] of heads) {
    const value = scoreOf(scores, kind);
    if (value === undefined || (best && value <= best.value)) continue;
    const [layer, head] = name.split(".").map(Number);
    best = { layer: layer!, head: head!, value };
  }
  return best;
}
