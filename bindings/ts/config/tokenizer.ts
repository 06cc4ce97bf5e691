/** What of a caller's tokenizer the package uses. */
import type { Tokenizer } from "../types/index.js";
import { refuse, text } from "../wire/arguments.js";
import { answerOf } from "../wire/error.js";

export function checkTokenizer(value: unknown): Tokenizer | undefined {
  if (value === undefined) return undefined;
  const { encode, decode } = (value ?? {}) as Partial<Tokenizer>;
  if (typeof encode === "function" && typeof decode === "function") return value as Tokenizer;
  return refuse("tokenizer", value, "an object with encode(text) and decode(ids)");
}

/** A text's ids, by the model's tokenizer. */
export function encoded(
  argument: string,
  value: unknown,
  tokenizer: Tokenizer | undefined,
): unknown {
  if (typeof value !== "string") return value;
  if (!tokenizer)
    return refuse(
      argument,
      text(argument, value),
      "a list of token ids, since the model has no tokenizer",
    );
  return answerOf("tokenizer.encode", () => tokenizer.encode(value));
}

/** A token's text: none where there is no tokenizer. */
export const decoded = (tokenizer: Tokenizer | undefined, id: number): string =>
  tokenizer ? answerOf("tokenizer.decode", () => tokenizer.decode([id])) : "";
