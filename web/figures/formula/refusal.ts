/** Where a refused formula is wrong, and what is said about it. */
import type { Failure } from "../../engine/both/failure.js";
import { declaredUntilError } from "../shared/formula/parameters.js";
import { type Part, slots, type Written } from "../shared/formula/slots.js";
import type { Span } from "./formula-editor.js";

export interface Refusal {
  failure: Failure;
  /** The text that the error is about, and its part. */
  part: Part;
  span: Span | undefined;
}

/** The index in a text of a character that is counted in code points, from 1. */
const indexOf = (text: string, character: number): number =>
  [...text].slice(0, character - 1).join("").length;

function spanFrom(text: string, character: number, value: string, before = 0): Span {
  const from = before + indexOf(text, character);
  const [, quoted] = /^"(.*)"$/s.exec(value) ?? [];
  return { from, to: from + (quoted?.length ?? (from < before + text.length ? 1 : 0)) };
}

/** Finds the text of an error: its argument is a slot, or `parameters.name.initial`. */
export function refusalOf(failure: Failure, written: Written): Refusal {
  const { argument = "", character = 0, value = "" } = failure.facts ?? {};
  const [name, parameter, of] = String(argument).split(".");
  const slot = slots.find((one) => one === name);
  if (slot) {
    const text = written[slot] ?? "";
    const span = character ? spanFrom(text, Number(character), String(value)) : undefined;
    return { failure, part: slot, span };
  }
  const { parameters = "" } = written;
  if (name !== "parameters") {
    const [first = "bias"] = slots.filter((one) => written[one] !== undefined);
    return { failure, part: first, span: undefined };
  }
  if (!parameter) {
    const span = character ? spanFrom(parameters, Number(character), String(value)) : undefined;
    return { failure, part: "parameters", span };
  }
  const found = declaredUntilError(parameters).find((one) => one.name === parameter);
  const whole = found && { from: found.begin, to: found.end };
  const span =
    found && character && of === "initial"
      ? spanFrom(found.initial, Number(character), String(value), found.initialAt)
      : whole;
  return { failure, part: "parameters", span };
}
