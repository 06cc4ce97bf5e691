/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { formsTokens } from "../../defaults.js";
import { choice } from "../../state-fields.js";

export const fields = {
  /** Tokens in the cache. */
  formsTokens: choice("kt", "512", formsTokens),
};
