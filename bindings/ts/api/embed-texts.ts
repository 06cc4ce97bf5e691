/** The inputs of `embed` as token ids, with their prompt, truncated to the maximum length. */

import { encoded } from "../config/tokenizer.js";
import type { EmbedOptions, Pooling, Tokenizer } from "../types/index.js";
import { listOf, refuse, text } from "../wire/arguments.js";
import { tagOf } from "../wire/arrays.js";

export interface ReadTexts {
  /** Token ids, not checked yet; for a list of texts, a list of such ids. */
  input: unknown;
  /** Number of prompt tokens in each text; undefined if the input was ids. */
  promptTokens: number | undefined;
}

/** Settings of a folder that concern texts. */
type Said = Pick<Pooling, "prompts" | "defaultPrompt" | "maxTokens" | "lowerCase">;
export const plainTexts: Said = { prompts: {}, lowerCase: false };

/** Whether the input is a list of texts and not the ids of one text. */
export const isListOfTexts = (input: unknown): input is readonly unknown[] =>
  Array.isArray(input) &&
  input.length > 0 &&
  typeof input[0] !== "number" &&
  typeof input[0] !== "bigint";

type Ids = ArrayLike<unknown>;

const isIds = (value: unknown): value is Ids => Array.isArray(value) || tagOf(value) !== undefined;

/** The texts or ids of a list. */
const listedTexts = (input: readonly unknown[]): unknown[] =>
  // Checks each item before the next is read: a list may claim a length of billions.
  listOf("input", input, "texts", (one, i) =>
    typeof one === "string" || isIds(one)
      ? one
      : refuse(`input[${i}]`, one, "a text or its token ids"),
  );

/** The texts of a call, one or a list, and the name of each in messages. */
export const textsOf = (input: unknown): { argument(index: number): string; texts: unknown[] } =>
  isListOfTexts(input)
    ? { argument: (index) => `input[${index}]`, texts: listedTexts(input) }
    : { argument: () => "input", texts: [input] };

/** Number of equal tokens at the end of both lists. */
function commonEnd(a: Ids, b: Ids): number {
  const max = Math.min(a.length, b.length);
  for (let count = 0; count < max; count++)
    if (a[a.length - 1 - count] !== b[b.length - 1 - count]) return count;
  return max;
}

/** Converts texts to ids with a folder's settings. */
class TextReader {
  readonly #tokenizer: Tokenizer | undefined;
  readonly #said: Said;

  constructor(tokenizer: Tokenizer | undefined, said: Said) {
    this.#tokenizer = tokenizer;
    this.#said = said;
  }

  ids(argument: string, words: string): unknown {
    const { maxTokens, lowerCase } = this.#said;
    const ids = this.#encoded(argument, lowerCase ? words.toLowerCase() : words);
    if (maxTokens === undefined || !isIds(ids) || ids.length <= maxTokens) return ids;
    // Truncates as tokenizers do: special tokens at the end stay.
    const marks = Math.min(this.marksAfter(ids), maxTokens);
    const list = Array.from(ids);
    return [...list.slice(0, maxTokens - marks), ...list.slice(list.length - marks)];
  }

  /** Number of special tokens that the tokenizer adds after a text. */
  marksAfter(ids: Ids): number {
    const none = this.#encoded("tokenizer.encode", "");
    return isIds(none) ? commonEnd(ids, none) : 0;
  }

  #encoded(argument: string, words: string): unknown {
    return encoded(argument, words, this.#tokenizer);
  }
}

/**
 * Converts texts to ids, each with the prompt before it, and counts the prompt's tokens. Errors:
 * invalid_argument for texts without a tokenizer, and for options of texts given with ids.
 */
export function readTexts(
  input: unknown,
  { prompt, promptTokens }: EmbedOptions,
  tokenizer: Tokenizer | undefined,
  said: Said,
): ReadTexts {
  const isList = isListOfTexts(input);
  const given = isList ? listedTexts(input) : [input];
  const texts = given.filter((one) => typeof one === "string");
  if (!texts.length) {
    if (prompt !== undefined)
      refuse("prompt", prompt, "undefined with token ids; promptTokens is the prompt's length");
    return { input: isList ? given : input, promptTokens };
  }
  if (texts.length < given.length) refuse("input", input, "only texts, or only lists of token ids");
  if (promptTokens !== undefined)
    refuse("promptTokens", promptTokens, "undefined with texts; prompt is their prompt");
  const reader = new TextReader(tokenizer, said);
  const { defaultPrompt, prompts } = said;
  const named = defaultPrompt === undefined ? "" : prompts[defaultPrompt];
  const before = text("prompt", prompt ?? named ?? "");
  const read = given.map((one, i) =>
    reader.ids(isList ? `input[${i}]` : "input", before + (one as string)),
  );
  const promptIds = before ? reader.ids("prompt", before) : [];
  const count = isIds(promptIds) ? promptIds.length - Math.min(1, reader.marksAfter(promptIds)) : 0;
  return { input: isList ? read : read[0], promptTokens: count };
}
