/** The reader's choices in the figures of the trained models: text, schemes, head and cell. */
import { count, indices, schemes, text } from "../../../state-fields.js";

export const fields = {
  /** Text that the trained models read; "" for the language's own. */
  text: text("c"),
  /** Trained models side by side, `id.id`; "" for the default ones. */
  headSchemes: schemes("cs"),
  layer: count("cl", 3, 63),
  head: count("ch", 0, 63),
  /** Chosen cell, [row, column]; if empty, the figure chooses. */
  cell: indices("cc", []),
};
