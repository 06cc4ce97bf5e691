/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { choice, count } from "../../state-fields.js";

export const fields = {
  /** One of the heads on show. */
  sinkHead: count("sk", 0, 2),
  /** Whether the share of the first token is drawn, or the others' shares without it. */
  sinkFirst: choice("sf", "kept", ["kept", "left_out"]),
};
