/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { probeTasks } from "../../defaults.js";
import { choice } from "../../state-fields.js";

export const fields = {
  /** Task whose results are in view. */
  probeTask: choice("p", "copy", probeTasks),
};
