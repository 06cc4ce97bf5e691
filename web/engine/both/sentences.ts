/**
 * Splits a typed sentence into words or characters, and gives words ids of an untrained vocabulary.
 */

/**
 * Splits a sentence into words: at spaces or, without spaces, by the browser's word list for the
 * language.
 */
export function splitWords(sentence: string, locale: string): string[] {
  const trimmed = sentence.trim();
  if (!trimmed) return [];
  if (/\s/.test(trimmed)) return trimmed.split(/\s+/);
  if (!("Segmenter" in Intl)) return [...trimmed];
  const segments = new Intl.Segmenter(locale, { granularity: "word" }).segment(trimmed);
  return [...segments].filter((part) => part.isWordLike !== false).map((part) => part.segment);
}

/**
 * Returns the beginning of a sentence that is split into characters; no word takes more than half
 * of it.
 */
export function firstCharacters(words: readonly string[], max: number): string[] {
  let room = max;
  return words.flatMap((word) => {
    const kept = [...word].slice(0, Math.min(room, max / 2)).join("");
    room -= [...kept].length;
    return kept ? [kept] : [];
  });
}

/** Returns the list with entries i and j exchanged. */
export function exchange<T>(list: readonly T[], i: number, j: number): T[] {
  const result = [...list];
  [result[i], result[j]] = [list[j]!, list[i]!];
  return result;
}

export interface Pair {
  tokensA: string[];
  tokensB: string[];
  /** `order[i]`: index in B of token i of A. */
  order: number[];
}

/**
 * Returns sentence A, and B with words i and j exchanged, as tokens. Words are exchanged whole, so
 * that B has the tokens of A in another order in both units; with characters, tokens move farther.
 */
export function pairOf(
  words: readonly string[],
  i: number,
  j: number,
  unit: "word" | "character",
): Pair {
  let next = 0;
  const split = words.map((word) =>
    (unit === "word" ? [word] : [...word]).map((token) => ({ token, index: next++ })),
  );
  const a = split.flat();
  const b = exchange(split, i, j).flat();
  const order = new Array<number>(a.length);
  b.forEach(({ index }, position) => {
    order[index] = position;
  });
  return { tokensA: a.map(({ token }) => token), tokensB: b.map(({ token }) => token), order };
}

const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const sign of text) value = Math.imul(value ^ sign.codePointAt(0)!, 0x01000193);
  return value >>> 0;
};

/** Returns ids below `vocabSize`: equal tokens have one id, different tokens have different ids. */
export function idsOf(tokens: readonly string[], vocabSize: number): number[] {
  const ids = new Map<string, number>();
  const taken = new Set<number>();
  for (const token of [...new Set(tokens)].sort()) {
    let id = hash(token) % vocabSize;
    while (taken.has(id)) id = (id + 1) % vocabSize;
    taken.add(id);
    ids.set(token, id);
  }
  return tokens.map((token) => ids.get(token)!);
}
