/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { schemes } from "../../state-fields.js";

export const fields = {
  /** Schemes to train in the tab, `id.id`; "" for the default ones. */
  lengthSchemes: schemes("ls"),
};
