/** The reader's choices in the figures of the trained models: text, schemes, head and cell. */
import { choice, count, indices, schemes, text } from "../../../state-fields.js";

export const fields = {
  /** Text that the trained models read; "" for the language's own. */
  text: text("c"),
  /** Trained models side by side, `id.id`; "" for the default ones. */
  headSchemes: schemes("cs"),
  layer: count("cl", 3, 63),
  /** The head at first looks at the token before, in the rotary model. */
  head: count("ch", 2, 63),
  /** Chosen cell, [row, column]; if empty, the figure chooses. */
  cell: indices("cc", []),
  /** Whether maps are read by word or by token; "" for words where a word has several tokens. */
  mapsBy: choice("cb", "", ["", "word", "token"]),
};
