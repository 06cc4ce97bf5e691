/**
 * The words of which tokens are pieces. The page imports this file as `whereformer/words`. It
 * imports nothing, to stay small in both.
 */

/** Scripts that write words without spaces: there each token is a group of its own. */
const unspaced = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}";
const letter = `(?![${unspaced}])[\\p{L}\\p{M}\\p{N}'’]`;
const begins = new RegExp(`^${letter}`, "u");
const ends = new RegExp(`${letter}$`, "u");
/** What stands for the further tokens of one character. */
export const sameCharacter = "·";

/**
 * Returns the index of each token's word: a token belongs to the word before it if letters follow
 * letters without a space.
 */
export function wordsOf(tokens: readonly string[]): number[] {
  let word = -1;
  return tokens.map((token, at) => {
    const before = tokens[at - 1];
    const goesOn =
      before !== undefined &&
      (token === sameCharacter || (begins.test(token) && ends.test(before)));
    return goesOn ? word : ++word;
  });
}

/**
 * Returns maps [rows, columns], one after the other, by group: columns of a group are summed, rows
 * averaged, so rows of weights still sum to 1. Groups ascend by one from 0. A masked cell (NaN)
 * adds nothing; a number without any other cell is NaN.
 */
export function mapsByGroup(
  maps: ArrayLike<number>,
  rows: readonly number[],
  columns: readonly number[],
): Float32Array {
  const [down, across] = [(rows.at(-1) ?? -1) + 1, (columns.at(-1) ?? -1) + 1];
  const counts = new Float64Array(down);
  for (const row of rows) counts[row]!++;
  const area = rows.length * columns.length;
  const count = area ? maps.length / area : 0;
  const grouped = new Float32Array(count * down * across);
  for (let map = 0, from = 0; map < count; map++) {
    const sums = new Float64Array(down * across).fill(Number.NaN);
    // Loops without calls: a map of the lab has millions of cells.
    for (const row of rows)
      for (const column of columns) {
        const value = maps[from++]!;
        const to = row * across + column;
        if (!Number.isNaN(value)) sums[to] = value + (Number.isNaN(sums[to]) ? 0 : sums[to]!);
      }
    sums.forEach((sum, at) => {
      grouped[map * sums.length + at] = sum / counts[Math.floor(at / across)]!;
    });
  }
  return grouped;
}
