/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { clockHead } from "../../defaults.js";
import { count, indices } from "../../state-fields.js";

export const fields = {
  /** Positions of the query and the key on the clock, and the pair of channels that is chosen. */
  clockAt: indices("ck", [60, 20]),
  clockPair: count("cp", 6, clockHead.headDim / 2 - 1),
};
