/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { numbers } from "../../state-fields.js";

export const fields = {
  /** The reader's answers, an index for each question of the chooser. */
  chosen: numbers("y", [0, 0, 2, 2, 0, 0]),
};
