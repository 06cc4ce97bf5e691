/** The options of a rotary scheme for texts longer than its training window. */
import { longropeFactor, ropeTypeOf, type StretchMethod } from "../../defaults.js";

/**
 * LongRoPE's searched divisors for Phi-3's head: `long_factor` of the config.json of
 * microsoft/Phi-3-mini-128k-instruct, to two decimals.
 */
export const phiLongFactor: readonly number[] = [
  1.03, 1.05, 1.05, 1.08, 1.23, 1.23, 1.3, 1.45, 1.6, 1.65, 1.9, 2.86, 3.69, 5.42, 5.49, 5.49, 9.09,
  11.58, 15.66, 15.77, 15.79, 18.36, 21.99, 23.08, 30.01, 32.35, 32.59, 35.56, 39.95, 53.84, 56.2,
  57.95, 59.29, 59.77, 59.92, 61.19, 61.96, 62.5, 63.37, 63.48, 63.48, 63.66, 63.85, 64.08, 64.76,
  64.8, 64.81, 64.81,
];

interface Stretch {
  method: StretchMethod;
  factor: number;
  /** Tokens of the training. */
  length: number;
  ramp?: readonly [fast: number, slow: number];
  /** LongRoPE's divisors for `factor`; by default those of Phi-3, for its own factor. */
  longFactor?: readonly number[] | undefined;
}

/** Returns the engine's scaling options, to add to base and shape. */
export function scalingOf({ method, factor, length, ramp, longFactor }: Stretch) {
  if (method === "none") return {};
  const isSearched = method === "longrope";
  const list = longFactor ?? phiLongFactor;
  const whole = isSearched && !longFactor ? longropeFactor : factor;
  return {
    maxPositionEmbeddings: isSearched ? whole * length : length,
    ropeScaling: {
      ropeType: ropeTypeOf(method),
      factor: whole,
      originalMaxPositionEmbeddings: length,
      ...(ramp && { betaFast: ramp[0], betaSlow: ramp[1] }),
      ...(isSearched && { shortFactor: list.map(() => 1), longFactor: list }),
    },
  };
}
