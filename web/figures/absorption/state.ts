/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { choice, count } from "../../state-fields.js";

export const fields = {
  /** Distance of the rotation between the matrices that are to be merged. */
  absorbedDistance: count("kb", 3, 32),
  /** Whether the key's matrix has been moved over to the query's. */
  absorbedMoved: choice("km", "no", ["no", "yes"]),
};
