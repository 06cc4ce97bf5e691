/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { choice } from "../../state-fields.js";

/** All pairs of the head, or all but the one that comes round. */
export const pairChoices = ["all", "without"] as const;
export type PairChoice = (typeof pairChoices)[number];

export const fields = {
  /** The pairs of which the head's score is made. */
  headPairs: choice<PairChoice>("hp", "all", pairChoices),
};
