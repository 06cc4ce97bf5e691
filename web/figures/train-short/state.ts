/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { lengthTasks } from "../../defaults.js";
import { choice, schemes } from "../../state-fields.js";

export const fields = {
  /** Schemes to train in the tab, `id.id`; "" for the default ones. */
  lengthSchemes: schemes("ls"),
  /** What they learn. */
  lengthTask: choice("lt", "text", lengthTasks),
};
