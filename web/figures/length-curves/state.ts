/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { schemes } from "../../state-fields.js";

export const fields = {
  /** Schemes with measured curves in view, `id.id`; "" while they are hidden. */
  curveSchemes: schemes("lc"),
};
