/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { count, text } from "../../state-fields.js";

export const fields = {
  orderText: text("b"),
  orderSeed: count("bs", 1, 999_999_999),
};
