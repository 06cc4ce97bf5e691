/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { probeTasks } from "../../defaults.js";
import { choice } from "../../state-fields.js";

export const fields = {
  /** Task whose results are in view. */
  probeTask: choice("p", "copy", probeTasks),
};
