/** Suggests known names for an unknown one. */

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

/** Number of letters to insert, delete or replace (Levenshtein 1966). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}

/**
 * Known names that differ in a few letters or in their style (`num_heads`), or else those that
 * share most words (`onStep` and `onProgress`, `maxNewTokens` and `maxTokens`); at most two.
 */
function similarNames(name: string, known: readonly string[]): readonly string[] {
  if (name.length > 40) return [];
  const words = wordsOf(name);
  const plain = words.join("");
  const best = (score: (other: string) => number): string[] => {
    const scores = known.map(score);
    const max = Math.max(0, ...scores);
    return max ? known.filter((_, i) => scores[i] === max) : [];
  };
  const close = best((other) => {
    const letters = wordsOf(other).join("");
    return Math.max(0, 1 + Math.floor(letters.length / 4) - distance(plain, letters));
  });
  const found = close.length
    ? close
    : best((other) => wordsOf(other).filter((word) => words.includes(word)).length);
  return found.length <= 2 ? found : [];
}

/** The end of a message about an unknown name. */
export function suggestion(name: string, known: readonly string[]): string {
  const found = similarNames(name, known);
  return found.length ? `; did you mean ${found.map((other) => `"${other}"`).join(" or ")}?` : "";
}
