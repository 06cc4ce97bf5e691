/** What the figure about costs says, in English. */
import type { SchemeCostsAnswer } from "../engine/both/messages.js";
import { counted } from "./numbers.js";

const times = (ratio: number): string => `${ratio.toFixed(2)}\u00a0×`;
const microseconds = (value: number): string => `${Math.round(value).toLocaleString("en")}\u00a0µs`;

export const costsEn = {
  name: "Time of an attention layer with each scheme",
  question: "What does a scheme cost, on this device?",
  finding: (fast: number, all: number, from: number) =>
    `${fast} of ${all} schemes take less than ${times(from)} the time without positions`,
  measuring: "Measuring on this device …",
  starting: "Starting …",
  unsteady: (low: number, high: number) =>
    `This device has other things to do: the layer without positions alone takes now ${microseconds(low)}, now ${microseconds(high)}. Measure again when it rests; until then much of this is chance. `,
  cheapReading: (count: number, least: number, most: number, from: number) =>
    `By formula ${count} schemes add less than ${Math.round(100 * (from - 1))} % to the work of a layer; measured, they take ${times(least)} to ${times(most)} the time without positions.`,
  dearReading: (list: string) =>
    ` By formula these add more, most of them a product of queries with a vector for each distance: ${list}.`,
  dearest: (name: string, ratio: number, formula: number) =>
    ` The dearest here is ${name}: ${times(ratio)}, by formula ${times(formula)}.`,
  cancelled: " Cancelled; what is drawn is older.",
  joiner: ", ",
  axis: "microseconds for one pass",
  times,
  microseconds,
  measuredKey: "measured",
  formulaKey: "expected by formula",
  baseKey: "without positions",
  gridLabel: "Time of each scheme",
  bar: (name: string, value: number, ratio: number, formula: number) =>
    `${name}: ${microseconds(value)}, ${times(ratio)} without positions; by formula ${times(formula)}`,
  sizes: { tokens: "Tokens n", headDim: "Channels of a head d", numHeads: "Heads" },
  progressLabel: "Schemes measured",
  progress: (done: number, total: number) => `${done} of ${total} schemes measured.`,
  cancel: "Cancel",
  again: "Measure again",
  tableLabel: "The numbers",
  tableCaption:
    "One pass through one layer; medians. Trained numbers of one layer; cache in float32.",
  columns: [
    "Scheme",
    "Measured",
    "to none",
    "by formula",
    "Trained numbers",
    "Cache bytes a token",
  ],
  note: ({ sizes, operations, rows, variant }: SchemeCostsAnswer) => {
    const rounds = Math.min(...rows.map((row) => row.rounds));
    return `One untrained causal layer, ${sizes.tokens.toLocaleString("en")} tokens, ${sizes.numHeads} heads of ${sizes.headDim} channels: projections and attention, and next to nothing else. Without positions ${counted(operations, "en")} operations. Each scheme is timed in turn with the layer without positions, at least ${rounds} rounds; the ratio is the median of those inside a round, and the time is that ratio times the one without positions. The engine (${variant}) runs in a worker of its own, one thread.`;
  },
  caveat:
    "Not shown: other devices, and other code for the same formula. The formula counts multiplications and additions, not memory traffic, and calls all of them equally dear. What else runs on this device, a training above for one, is in the numbers; the ratios mind it less than the times.",
};

export type CostsText = typeof costsEn;
