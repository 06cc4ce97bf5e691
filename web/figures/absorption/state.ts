/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { count } from "../../state-fields.js";

export const fields = {
  /** Distance of the rotation between the matrices that are to be merged. */
  absorbedDistance: count("kb", 3, 32),
};
