/** Heads whose rotation is shown: as clock hands, and as a matrix. */

/**
 * The head of "two hands in every pair": channels, positions of its sliders, distances of its
 * curve, and bases on offer. At the smallest base that the engine accepts, all pairs rotate alike.
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
 * The single hand: its rotation per position in radians; and positions of the first of the two at
 * which a query and a key with the same distance are shown too.
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
