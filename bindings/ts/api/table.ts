/** Tables of positions, which limit the length of a text. */

import type { CompletedLayer, Model, SchemeDescription } from "../types/index.js";
import { WhereformerError } from "../wire/error.js";

/** Maximum tokens of a text; Infinity without a table that has a row for each position. */
function mostTokens(
  { scheme, layers }: Model["config"],
  schemes: readonly SchemeDescription[],
): number {
  const all = [scheme, ...Object.values(layers ?? {}).map((one: CompletedLayer) => one.scheme)];
  const sizes = all.flat().map(({ id, options }) => {
    const ends = schemes.find((one) => one.id === id)?.claims.extrapolatesByConstruction === false;
    return ends ? ((options["maxPositions" as never] as number | undefined) ?? Infinity) : Infinity;
  });
  return Math.min(Infinity, ...sizes);
}

/** Rejects more tokens than the table has rows, if the caller gave no positions. */
export function checkFits(
  argument: string,
  count: number,
  config: Model["config"],
  schemes: readonly SchemeDescription[],
): void {
  const most = mostTokens(config, schemes);
  if (count <= most) return;
  const allowed = `${most} at most, as many as the model's table of positions has (maxPositions)`;
  throw new WhereformerError(
    "invalid_argument",
    `${argument}: a text of ${count} tokens to read; allowed are ${allowed}`,
    { argument, value: count, allowed },
  );
}
