/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { addedView } from "../../defaults.js";
import { choice, count, indices } from "../../state-fields.js";

export const fields = {
  /** Scheme that adds vectors to words; shown position and channel; base and head. */
  addedScheme: choice<string>("w", addedView.schemes[0], addedView.schemes),
  addedAt: indices("wa", [40, 24]),
  addedBase: choice<string>("wb", addedView.trainedBase, addedView.bases),
  addedHead: count("wh", addedView.head, 63),
};
