/** Where the parts of the machine are: from left to right, or from top to bottom on a phone. */
import { type Socket, sockets } from "../../engine/both/catalogue-messages.js";

export interface Point {
  x: number;
  y: number;
}

/** −1 for the query's lane, 1 for the key's, 0 where they have met, 2 for the value's. */
export type Lane = -1 | 0 | 1 | 2;
export const lanes: readonly Lane[] = [-1, 1];
export const valueLane: Lane = 2;

/** Steps of a word through the machine; every other one is a socket. */
export const steps = { word: 0, matrix: 2, product: 4, softmax: 6, output: 7 } as const;
const stepCount = 8;
/** The border between what is done once, before the first layer, and what is done in each. */
export const layerBegins = 1.6;
/** Where the value's lane leaves the key's. */
export const valueBegins = 1.72;

/** Returns the step of a socket. */
export const stepOf = (socket: Socket): number => 2 * sockets.indexOf(socket) + 1;

/** Lanes of a socket: the score is one for both words. */
export const lanesOf = (socket: Socket): readonly Lane[] => (socket === "bias" ? [0] : lanes);

export interface Plan {
  form: "small" | "wide" | "narrow";
  width: number;
  height: number;
  /** Radius of a socket. */
  radius: number;
  at: (step: number, lane: Lane) => Point;
}

export const isWideFrom = 760;

/** Distance of a phone's first step from the top, and of two steps. */
const [narrowTop, narrowPitch] = [26, 72];

/** Positions of the lanes: from the top on a wide screen, as shares of the width on a phone. */
const laneTops: Record<Lane, number> = { [-1]: 182, 0: 238, 1: 294, 2: 402 };
const laneShares: Record<Lane, number> = { [-1]: 0.22, 0: 0.42, 1: 0.62, 2: 0.92 };

function widePlan(width: number): Plan {
  const pitch = width / stepCount;
  return {
    form: "wide",
    width,
    height: 452,
    radius: 20,
    at: (step, lane) => ({ x: (step + 0.5) * pitch, y: laneTops[lane] }),
  };
}

function narrowPlan(width: number): Plan {
  return {
    form: "narrow",
    width,
    height: narrowTop + (stepCount - 1) * narrowPitch + 46,
    radius: 16,
    at: (step, lane) => ({
      x: width * laneShares[lane],
      y: narrowTop + step * narrowPitch,
    }),
  };
}

/** Returns the plan for a width. */
export const planFor = (width: number): Plan =>
  width >= isWideFrom ? widePlan(width) : narrowPlan(width);

/** Returns the plan of the small machine at the head of a page, without labels and values. */
export function smallPlan(width: number): Plan {
  const pitch = width / (stepCount - 1);
  return {
    form: "small",
    width,
    height: 90,
    radius: 11,
    at: (step, lane) => ({ x: (step + 0.5) * pitch, y: 45 + 24 * lane }),
  };
}

/** Returns the cells of the sockets: two steps each, side by side or one below the other. */
export function socketCells({ form, width, height, at }: Plan) {
  const { x, y } = at(0, 0);
  return form === "narrow"
    ? { x: 0, y, cellWidth: width, cellHeight: 2 * narrowPitch, rows: 3, columns: 1 }
    : { x, y: 0, cellWidth: (2 * width) / stepCount, cellHeight: height, rows: 1, columns: 3 };
}
