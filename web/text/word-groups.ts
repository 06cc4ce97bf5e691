/** Maps read by word: the tokens of each word, and a map of tokens as one of words. */
import { mapsByGroup, sameCharacter, wordsOf } from "whereformer/words";

export interface WordGroup {
  text: string;
  /** Its first token, and the one after its last. */
  first: number;
  end: number;
}

/** Groups tokens by word. */
export function wordGroups(tokens: readonly string[]): WordGroup[] {
  const groups: WordGroup[] = [];
  wordsOf(tokens).forEach((word, at) => {
    const group = groups[word];
    if (group) {
      group.text += tokens[at]!;
      group.end = at + 1;
    } else groups.push({ text: tokens[at]!, first: at, end: at + 1 });
  });
  return groups;
}

/** True if some word consists of several tokens. */
export const hasPieces = (groups: readonly WordGroup[]): boolean =>
  groups.some(({ first, end }) => end - first > 1);

/**
 * Whether the texts of tokens show where words begin: some tokenizers, and most lists of words,
 * leave out the spaces.
 */
export const showWords = (tokens: readonly string[]): boolean =>
  tokens.some((token) => token === sameCharacter || /^\s\S/.test(token));

/** Returns the index of each token's word. */
export const groupOfEach = (groups: readonly WordGroup[]): number[] =>
  groups.flatMap(({ first, end }, word) => Array.from({ length: end - first }, () => word));

/** Returns a map [rows, columns] by word: columns summed, rows averaged. */
export function byWord(
  map: ArrayLike<number>,
  rows: readonly WordGroup[],
  columns: readonly WordGroup[] = rows,
): Float32Array {
  return mapsByGroup(map, groupOfEach(rows), groupOfEach(columns));
}

/** Returns the index of the word with that token. */
export const wordAt = (groups: readonly WordGroup[], token: number): number =>
  groups.findIndex(({ first, end }) => token >= first && token < end);
