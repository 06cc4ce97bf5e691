/**
 * Parameters as lines of text, "positive slope[H] = 2^(-h)": a name, its sizes, and what it begins
 * with. "positive" keeps it above 0 in training, "frozen" keeps it as it is.
 */
import type { FormulaParameter } from "whereformer";
import { EngineFailure, unexpected } from "../../../engine/both/failure.js";

export interface Declared {
  name: string;
  given: FormulaParameter;
  /** Where in the text the declaration is, and where what it begins with. */
  begin: number;
  end: number;
  initialAt: number;
  initial: string;
}

const pattern = /^\s*((?:(?:positive|frozen)\s+)*)([A-Za-z_]\w*)\s*(?:\[([^\]]*)\])?\s*=\s*/;
const allowed = "name[sizes] = number or formula";

/** Returns the error for a text that is no declaration. */
function refused(line: string, character: number): EngineFailure {
  const argument = "parameters";
  const value = `"${line.trim()}"`;
  const message = unexpected(`${argument}, character ${character}`, value, allowed);
  const facts = { argument, character, value, allowed };
  return new EngineFailure({ code: refusedFormula, message, facts });
}

/** Code of a failure in the text of a formula, or of parameters. */
export const refusedFormula = "refused_formula";

/** A size is a number, if it is written as one. */
const sizeOf = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text) : text.trim();

function declaration(line: string, begin: number): Declared {
  const [found, marks = "", name = "", sizes] = pattern.exec(line) ?? [];
  const initial = found ? line.slice(found.length).trimEnd() : "";
  if (!initial) throw refused(line, begin + line.length - line.trimStart().length + 1);
  const number = Number(initial);
  return {
    name,
    begin,
    end: begin + line.length,
    initialAt: begin + found!.length,
    initial,
    given: {
      ...(sizes === undefined ? {} : { shape: sizes.split(",").map(sizeOf) }),
      initial: Number.isFinite(number) ? number : initial,
      ...(marks.includes("positive") ? { positive: true } : {}),
      ...(marks.includes("frozen") ? { trained: false } : {}),
    },
  };
}

/** Returns the declared parameters; throws for the first text that is no declaration. */
export function declared(text: string): Declared[] {
  const found: Declared[] = [];
  for (const line of text.matchAll(/[^\n;]+/g))
    if (line[0].trim()) found.push(declaration(line[0], line.index));
  return found;
}

/** Returns the declared parameters before the first error. */
export function declaredUntilError(text: string): Declared[] {
  try {
    return declared(text);
  } catch {
    return [];
  }
}

/** Returns the text with another number in place of what a parameter begins with. */
export const withNumber = (text: string, { initialAt, initial }: Declared, value: number): string =>
  text.slice(0, initialAt) + String(value) + text.slice(initialAt + initial.length);

export interface Range {
  min: number;
  max: number;
  step: number;
}

/** Returns limits for a slider that begins at a number. */
export function rangeAround(value: number): Range {
  if (value === 0) return { min: -1, max: 1, step: 0.02 };
  const size = Math.abs(value);
  const power = 10 ** Math.floor(Math.log10(size));
  const isWhole = Number.isInteger(value) && size >= 4;
  const step = isWhole ? Math.max(1, power / 10) : power / 50;
  const max = 2 * size;
  return value > 0 ? { min: step, max, step } : { min: -max, max: -step, step };
}
