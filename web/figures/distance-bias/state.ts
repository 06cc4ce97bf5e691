/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { distanceSchemes, distanceView } from "../../defaults.js";
import { choice, count, numbers } from "../../state-fields.js";

export const fields = {
  /**
   * Scheme whose bias is drawn by distance; its first number and the further ones, 0 for their own
   * values; layer and head.
   */
  distanceScheme: choice<string>(
    "d",
    distanceView.first,
    distanceSchemes.map(({ id }) => id),
  ),
  distanceKnob: count("dk", 0, 9999),
  distanceNumbers: numbers("dn", [0, 0, 0]),
  distanceLayer: count("dl", 0, 63),
  distanceHead: count("dh", 0, 63),
};
