/** The names that a formula can use, and those that complete what is being typed. */
import type { Part } from "../shared/formula/slots.js";

export const functions = [
  ..."abs min max clip floor ceil round mod exp log log1p sqrt pow sin cos tanh".split(" "),
  ..."sigmoid softplus bucket logbucket".split(" "),
];

const constants = ["pi", "inf", "true", "false", "let"];

const variables: Readonly<Record<Part, readonly string[]>> = {
  bias: ["i", "j", "r", "h", "layer", "s", "H", "D", "cumsum"],
  frequency: ["k", "h", "layer", "n", "H", "D"],
  angle: ["i", "k", "h", "layer", "n", "H", "D"],
  add: ["i", "c", "layer", "E", "H", "D"],
  queryScale: ["i", "c", "h", "layer", "H", "D"],
  keyScale: ["j", "c", "h", "layer", "H", "D"],
  logitScale: ["H", "D"],
  parameters: ["positive", "frozen", "h", "k", "c", "H", "D", "E"],
};

/** Returns the names of a part's formula, parameters included. */
export const namesFor = (part: Part, parameters: readonly string[]): string[] => [
  ...(part === "parameters" || part === "logitScale" ? [] : parameters),
  ...variables[part],
  ...functions,
  ...constants,
];

const maxOffered = 6;

/** Returns the part of a name that ends here, and the longer names that begin with it. */
export function completionsOf(before: string, names: readonly string[]) {
  const [begun = ""] = /[A-Za-z_]\w*$/.exec(before) ?? [];
  const isLonger = (name: string) => name.startsWith(begun) && name !== begun;
  const found = begun ? [...new Set(names)].filter(isLonger).slice(0, maxOffered) : [];
  return { begun, found };
}
