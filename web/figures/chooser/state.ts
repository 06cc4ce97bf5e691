/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { numbers } from "../../state-fields.js";

export const fields = {
  /** The reader's answers, an index for each question of the chooser. */
  chosen: numbers("y", [0, 0, 2, 2, 0, 0]),
};
