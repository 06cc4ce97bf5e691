/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { count, text } from "../../state-fields.js";

export const fields = {
  orderText: text("b"),
  orderSeed: count("bs", 1, 999_999_999),
};
