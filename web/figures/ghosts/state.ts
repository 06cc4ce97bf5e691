/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { ghostSizes, ghostViews } from "../../defaults.js";
import { choice, count } from "../../state-fields.js";

export const fields = {
  /** What is done to the model, and the tokens that it reads. */
  ghostView: choice("gv", "plain", ghostViews),
  ghostTokens: count("gn", ghostSizes.tokens, ghostSizes.tokens),
};
