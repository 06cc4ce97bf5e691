/** The heads whose rotation is shown: hands of a clock, and a matrix. */

/**
 * The head of "two hands in every pair": so many channels, positions of its sliders, distances of
 * its curve, and bases to choose from; the least that the engine takes turns all pairs alike.
 */
export const turnedHead = {
  headDim: 16,
  farthestPosition: 64,
  farthest: 256,
  bases: ["1.0001", "10000", "500000", "1000000"],
} as const;

/** What that figure adds to its picture step by step; the last shows all of it at once. */
export const turningSteps = ["one", "many", "sum", "far", "base", "all"] as const;
export type TurningStep = (typeof turningSteps)[number];

/**
 * Its one hand, by itself: how far a position turns it, in radians; and where else a query and a
 * key as far apart stand, by the position of the first of the two.
 */
export const oneHand = { theta: Math.PI / 8, places: [0, 1, 11, 101] } as const;

/**
 * A head small enough to show its rotation as a matrix, how far it is turned, and a vector to turn,
 * no pair of which is longer than 1 in either layout.
 */
export const layoutHead = {
  size: 8,
  distance: 3,
  farthest: 64,
  vector: [0.6, 0.2, -0.5, 0.7, 0.3, -0.4, 0.1, 0.5],
} as const;
