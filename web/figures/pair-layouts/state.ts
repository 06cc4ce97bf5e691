/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { layoutHead } from "../../engine/both/rotated-heads.js";
import { count } from "../../state-fields.js";

export const fields = {
  /** Distance of the rotation that is shown as a matrix. */
  layoutDistance: count("md", layoutHead.distance, layoutHead.farthest),
};
