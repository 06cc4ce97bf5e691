/** All heads of a model with their measures. */
import type { MapsAnswer } from "../../../engine/both/map-messages.js";
import type { Numbers } from "../data/numbers.js";

/** Numbers by name, [layers × heads] each; NaN where a head has none. */
export type Measures = Readonly<Record<string, readonly number[]>>;

export interface ShownHeads {
  layers: number;
  heads: number;
  measures: Measures;
  /** Maps of all heads, for the small pictures. */
  maps?: Numbers | undefined;
  /** Of a trained model: the answer about its first head. */
  answer?: MapsAnswer;
}
