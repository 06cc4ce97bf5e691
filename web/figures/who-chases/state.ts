/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { blindScheme, comparedSchemes } from "../../defaults.js";
import { choice, indices, text } from "../../state-fields.js";

export type Unit = "word" | "character";

export const fields = {
  /** Sentence of the first figure; "" for the language's own. */
  chaseText: text("a"),
  /** The two words that are exchanged. */
  chaseSwap: indices("as", [0, 2]),
  chaseScheme: choice(
    "ap",
    blindScheme,
    comparedSchemes.map(({ id }) => id),
  ),
  chaseUnit: choice<Unit>("au", "word", ["word", "character"]),
};
