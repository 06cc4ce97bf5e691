/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { schemes } from "../../state-fields.js";

export const fields = {
  /** Schemes with measured curves in view, `id.id`; "" while they are hidden. */
  curveSchemes: schemes("lc"),
};
