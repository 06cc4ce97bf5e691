/** Attention weights of a real model, recorded once (scripts/real-maps.mjs). */
import recorded from "./maps.json";

export const { source, tokens, allHeads, sinks } = recorded;

export interface RecordedHead {
  /** From 0. */
  layer: number;
  head: number;
  /** Weights of each token, up to itself. */
  rows: readonly (readonly number[])[];
}

export const heads: readonly RecordedHead[] = recorded.heads;

/** Shares without the first token: what a softmax over the others alone gives. */
function withoutFirst(row: readonly number[]): number[] {
  const rest = row.slice(1).reduce((sum, weight) => sum + weight, 0);
  return row.map((weight, key) => (key === 0 || rest === 0 ? 0 : weight / rest));
}

/** The rows of a head, with the first token or without it. */
export const rowsOf = ({ rows }: RecordedHead, isLeftOut: boolean): (readonly number[])[] =>
  isLeftOut ? rows.map(withoutFirst) : [...rows];

/** Mean share of the first token, from the third row: the first two see little else. */
export function shareOfFirst({ rows }: RecordedHead): number {
  const late = rows.slice(2);
  return late.reduce((sum, row) => sum + row[0]!, 0) / late.length;
}

/** The largest share of a token other than the first and itself: its query and key. */
export function strongest(rows: readonly (readonly number[])[]) {
  let best = { query: 2, key: 1, share: 0 };
  rows.forEach((row, query) => {
    row.forEach((share, key) => {
      if (query > 3 && key > 0 && key < query && share > best.share) best = { query, key, share };
    });
  });
  return best;
}
