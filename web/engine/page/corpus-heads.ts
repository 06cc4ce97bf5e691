/**
 * Where each head of a trained model attends over the whole held-out text: the heads.json beside
 * its weights, fetched when a figure needs it.
 */
import type { Language } from "../../defaults.js";

/** Mean attention weights on each kind of target. `metre` only if the text has verse. */
export interface Scores {
  previous: number;
  induction: number;
  delimiter: number;
  metre?: number;
  /** Share of all attention at offsets −reach − 1 (everything farther away), −reach … 0. */
  mass: readonly number[];
}

export interface HeadScores extends Scores {
  /** Share of each term in the variance of a row's logits; the sum is 1. */
  terms: Readonly<Record<string, number>>;
}

export interface HeldOutHeads {
  /** Scores of a head with uniform attention. */
  uniform: Scores;
  /** Scores by layer and head, `"0.3"`. */
  heads: ReadonlyMap<string, HeadScores>;
}

export interface CorpusHeads {
  /** Tokens in a window of the text, and the farthest distance that is listed by itself. */
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

/** Parses the file that `npm run heads` writes. */
export function readHeads({ length, reach, results }: HeadsFile): CorpusHeads {
  return { length, reach, texts: { en: heldOut(results.en), zh: heldOut(results.zh) } };
}

export class Corpus {
  #heads = new Map<string, CorpusHeads>();
  #asked = new Set<string>();

  /** `come` is called when the numbers of a scheme have loaded. */
  constructor(private readonly come: () => void) {}

  of(scheme: string): CorpusHeads | undefined {
    return this.#heads.get(scheme);
  }

  /** Fetches missing files; a scheme whose file cannot be loaded stays without numbers. */
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

/**
 * Returns the language of the held-out text to compare a text with: Chinese if it has Chinese
 * characters.
 */
export const likeText = (text: string): Language => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

/**
 * Returns the mean weight at each distance 0, 1 … `reach`, over the rows that have a key that far
 * back and are not the first of their window, as `weightByDistance` does for one map.
 */
export function massByDistance(
  { mass }: Pick<Scores, "mass">,
  { length, reach }: Pick<CorpusHeads, "length" | "reach">,
): Float32Array {
  return Float32Array.from({ length: reach + 1 }, (_, distance) => {
    const sum = mass[reach + 1 - distance]! * length;
    // In a window's first row, only the token itself is visible.
    return distance ? sum / (length - distance) : (sum - 1) / (length - 1);
  });
}

/** Returns the share of attention within `near` tokens back. */
export const massWithin = ({ mass }: Pick<Scores, "mass">, near: number): number =>
  mass.slice(-near - 1).reduce((sum, part) => sum + part, 0);

export const scoreKinds = ["previous", "induction", "delimiter", "metre", "position"] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/**
 * Returns a head's score; `undefined` if there is none: the text has no verse, or the position has
 * no term of its own.
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

/** Returns the head with the highest score. */
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
