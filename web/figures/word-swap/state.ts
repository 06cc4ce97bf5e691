/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { order } from "../../state-fields.js";

export const fields = {
  /** The words of the first map in their current order, counted from 0 in the original one. */
  swapOrder: order("o", 3),
};
