/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { formsTokens } from "../../defaults.js";
import { choice } from "../../state-fields.js";

export const fields = {
  /** Tokens in the cache. */
  formsTokens: choice("kt", "512", formsTokens),
};
