/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { layoutHead } from "../../engine/both/rotated-heads.js";
import { count } from "../../state-fields.js";

export const fields = {
  /** Distance of the rotation that is shown as a matrix. */
  layoutDistance: count("md", layoutHead.distance, layoutHead.farthest),
};
