/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { comparedSchemes, sightedScheme } from "../../defaults.js";
import { choice, count, text } from "../../state-fields.js";

export const fields = {
  /** Beginning that the model continues; "" for the language's own. */
  writingText: text("wt"),
  writingModel: choice(
    "wm",
    sightedScheme,
    comparedSchemes.map(({ id }) => id),
  ),
  writingLayer: count("wl", 3, 63),
  writingHead: count("we", 2, 255),
  /** Tokens that have been written. */
  writingCount: count("wn", 8, 48),
  /** The draw of the tokens. */
  writingSeed: count("wd", 1, 9999),
};
