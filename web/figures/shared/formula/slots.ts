/** The parts of an encoding that have a formula, in the order of display. */
export const slots = [
  ...(["bias", "frequency", "angle", "add", "queryScale", "keyScale", "logitScale"] as const),
];
export type Slot = (typeof slots)[number];
export type Part = Slot | "parameters";

export type Written = Partial<Record<Part, string>> & { pairing?: "halves" | "interleaved" };
