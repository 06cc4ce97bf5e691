/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { ghostSizes, ghostViews } from "../../defaults.js";
import { choice, count } from "../../state-fields.js";

export const fields = {
  /** What is done to the model, and the tokens that it reads. */
  ghostView: choice("gw", "plain", ghostViews),
  ghostTokens: count("gn", ghostSizes.tokens, ghostSizes.tokens),
};
