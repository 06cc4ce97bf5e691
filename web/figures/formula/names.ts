/** The names that a formula can use, and those that complete what is being typed. */
import type { Part } from "../shared/formula/slots.js";

export const functions = [
  ..."abs min max clip floor ceil round mod exp log log1p sqrt pow sin cos tanh".split(" "),
  ..."sigmoid softplus bucket logbucket".split(" "),
];

const constants = ["pi", "inf", "true", "false", "let"];

const variables: Readonly<Record<Part, readonly string[]>> = {
  bias: [
    ...["i", "j", "r", "h", "layer", "s", "H", "D", "cumsum"],
    ...["i.x", "i.y", "j.x", "j.y", "r.x", "r.y"],
  ],
  frequency: ["k", "h", "layer", "n", "H", "D"],
  angle: ["i", "i.x", "i.y", "k", "h", "layer", "n", "H", "D"],
  add: ["i", "i.x", "i.y", "c", "layer", "E", "H", "D"],
  queryScale: ["i", "i.x", "i.y", "c", "h", "layer", "H", "D"],
  keyScale: ["j", "j.x", "j.y", "c", "h", "layer", "H", "D"],
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
