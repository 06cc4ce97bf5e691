/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { costBegin } from "../../defaults.js";
import type { Field } from "../../state-fields.js";

export const fields = {
  /** Layer that is timed: tokens, channels of a head, heads. */
  costSizes: {
    key: "k",
    initial: costBegin,
    read: (written) =>
      /^\d{1,4}\.\d{1,3}\.\d{1,2}$/.test(written) ? written.split(".").map(Number) : undefined,
    allowed: { expected: "numbers", min: 0, max: 3 },
  } satisfies Field<readonly number[]>,
};
