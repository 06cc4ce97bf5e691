/** Tables of positions, which limit the length of a text. */

import type { CompletedLayer, Model, SchemeDescription } from "../types/index.js";
import { unexpected, WhereformerError } from "../wire/error.js";

/** Maximum tokens of a text; Infinity without a table that has a row for each position. */
function maxTokens(
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

/**
 * The length from which on a text must be read afresh when it has changed: frequencies that depend
 * on the length (dynamic NTK, LongRoPE) change all keys, and with them all later layers. Infinity
 * without such a scheme.
 */
export function readsAfreshBeyond({ scheme, layers }: Model["config"]): number {
  const all = [scheme, ...Object.values(layers ?? {}).map((one: CompletedLayer) => one.scheme)];
  const lengths = all.flat().map(({ options }) => {
    const { ropeScaling, maxPositionEmbeddings } = options as {
      ropeScaling?: { ropeType?: string; originalMaxPositionEmbeddings?: number };
      maxPositionEmbeddings?: number;
    };
    const { ropeType, originalMaxPositionEmbeddings } = ropeScaling ?? {};
    if (ropeType === "dynamic") return maxPositionEmbeddings ?? Infinity;
    if (ropeType !== "longrope") return Infinity;
    return originalMaxPositionEmbeddings || (maxPositionEmbeddings ?? Infinity);
  });
  return Math.min(Infinity, ...lengths);
}

/** Rejects more tokens than the table has rows, if the caller gave no positions. */
export function checkFits(
  argument: string,
  count: number,
  config: Model["config"],
  schemes: readonly SchemeDescription[],
): void {
  const max = maxTokens(config, schemes);
  if (count <= max) return;
  const allowed = `at most ${max}, as the model's table of positions has (maxPositions)`;
  throw new WhereformerError(
    "invalid_argument",
    unexpected(argument, `a text of ${count} tokens`, allowed),
    { argument, value: count, allowed },
  );
}
