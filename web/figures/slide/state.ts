/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { slideView } from "../../defaults.js";
import { count } from "../../state-fields.js";

export const fields = {
  /** Positions by which the whole sentence is moved on. */
  slideBy: count("sl", slideView.farthest, slideView.farthest),
};
