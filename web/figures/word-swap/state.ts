/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { order } from "../../state-fields.js";

export const fields = {
  /** The words of the first map in their current order, counted from 0 in the original one. */
  swapOrder: order("o", 3),
};
