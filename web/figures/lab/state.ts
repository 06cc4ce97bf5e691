/** The reader's choices in this figure, as fields of the page's state and of its address. */
import type { Field } from "../../state-fields.js";

export const fields = {
  /** All choices of the lab, in its figure's own format; "" for the defaults. */
  lab: {
    key: "z",
    initial: "",
    // Long enough for a text of 2,048 tokens, in the encoding of an address.
    read: (written) => written.slice(0, 80_000),
    allowed: { expected: "text" },
  } satisfies Field<string>,
};
