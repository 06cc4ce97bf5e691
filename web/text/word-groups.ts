/** Maps read by word: the tokens of each word, and a map of tokens as one of words. */
import { mapsByGroup, wordsOf } from "whereformer/words";

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

/** Returns a map [tokens, tokens] by word: columns summed, rows averaged. */
export function byWord(map: ArrayLike<number>, groups: readonly WordGroup[]): Float32Array {
  const words = groups.flatMap(({ first, end }, word) =>
    Array.from({ length: end - first }, () => word),
  );
  return mapsByGroup(map, words, words);
}

/** Returns the index of the word with that token. */
export const wordAt = (groups: readonly WordGroup[], token: number): number =>
  groups.findIndex(({ first, end }) => token >= first && token < end);
