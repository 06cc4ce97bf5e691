/** Heads whose rotation is shown: as clock hands, and as a matrix. */

/**
 * The head of which the figure shows all pairs: its channels, the largest position of the sliders,
 * the largest distance of the curve, and the bases on offer. With the smallest base that the engine
 * accepts, all pairs rotate at nearly the same frequency.
 */
export const rotatedHead = {
  headDim: 16,
  farthestPosition: 64,
  farthest: 256,
  bases: ["1.0001", "10000", "500000", "1000000"],
} as const;

/** Steps in which that figure builds up its picture; the last one shows all of it. */
export const rotationSteps = ["one", "many", "sum", "far", "base", "all"] as const;
export type RotationStep = (typeof rotationSteps)[number];

/**
 * The step with a single pair: its rotation per position in radians, and further positions of the
 * first of two tokens, which show that the product depends on their distance alone.
 */
export const oneHand = { theta: Math.PI / 8, firstPositions: [0, 1, 11, 101] } as const;

/**
 * A head small enough to show its rotation as a matrix, its range of distances, and a vector to
 * rotate, in which no pair is longer than 1 in either layout.
 */
export const layoutHead = {
  size: 8,
  distance: 3,
  farthest: 64,
  vector: [0.6, 0.2, -0.5, 0.7, 0.3, -0.4, 0.1, 0.5],
} as const;
