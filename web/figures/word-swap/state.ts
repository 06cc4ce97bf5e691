/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { blindScheme, sightedScheme } from "../../defaults.js";
import { choice, order } from "../../state-fields.js";

export const fields = {
  /** The words of the second sentence in their current order, counted from 0 in the first. */
  swapOrder: order("o", [2, 1, 0]),
  /** The scheme of the layer. */
  swapScheme: choice("os", blindScheme, [blindScheme, sightedScheme]),
  swapView: choice("ov", "arcs", ["arcs", "numbers"]),
};
