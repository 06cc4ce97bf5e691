/** A gallery scheme with its options, created for one question and disposed of after it. */
import type { Engine, Positions, Scheme } from "whereformer";
import { galleryModel } from "../../defaults.js";
import type { PortraitQuestion } from "../both/messages.js";
import { nested } from "../both/scheme-options.js";

type Configured = Pick<PortraitQuestion, "scheme" | "options" | "formula">;

/** Returns the options of a question's scheme, as the engine takes them. */
export const optionsOf = ({ options, formula }: Configured): Record<string, unknown> =>
  formula ? { ...formula } : nested(options);

/** Returns the result of `work` with the scheme of a question, `hiddenSize` wide. */
export function withScheme<T>(
  wf: Engine,
  question: Configured,
  hiddenSize: number,
  work: (scheme: Scheme) => T,
): T {
  const { numHeads, headDim } = galleryModel;
  const given = { numHeads, headDim, hiddenSize, ...optionsOf(question) };
  const scheme = wf.scheme(question.scheme, given);
  try {
    return work(scheme);
  } finally {
    scheme.dispose();
  }
}

export const isRefusal = (reason: unknown, code: string): boolean =>
  (reason as { code?: string }).code === code;

/**
 * Returns the result of `work`, or undefined if the scheme does not support it with these options.
 */
export function ifOffered<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (reason) {
    if (isRefusal(reason, "unsupported")) return undefined;
    throw reason;
  }
}

/**
 * Returns the answer for the largest size that the engine accepts; tables and windows have an end.
 */
export function largestThatFits<T>(max: number, min: number, ask: (size: number) => T): T {
  for (let size = max; ; size--) {
    try {
      return ask(size);
    } catch (reason) {
      if (size <= min || !isRefusal(reason, "invalid_argument")) throw reason;
    }
  }
}

/** Returns 0, 1, 2 … */
export const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Returns the cells of a square, row by row: all rows, then all columns. */
export const cellsOf = (side: number): Positions => ({
  data: [
    ...count(side * side).map((cell) => Math.floor(cell / side)),
    ...count(side * side).map((cell) => cell % side),
  ],
  shape: [2, side * side],
});
