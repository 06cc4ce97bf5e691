/** The text of a list of tokens that grows. */

import type { GeneratedToken, Tokenizer } from "../types/index.js";
import { integer, listOf, refuse, text } from "../wire/arguments.js";
import { answerOf, keepFromProxies } from "../wire/error.js";
import { guard } from "../wire/guard.js";
import { throwIfAborted } from "../wire/signal.js";

/** What bytes are until they make a character, and half a pair of UTF-16. */
const broken = /[\ufffd\p{Cs}]/u;
const brokenEnd = /[\ufffd\p{Cs}]+$/u;

/**
 * What `clean_up_tokenization_spaces` may still change: " ." becomes ".", " n't" "n't", and " ' "
 * "'", unless a sign takes its second space.
 */
const uncleanEnd = /[ '][ n'vr]*$/;

/** The most tokens that one character is made of: its bytes. */
const mostParts = 4;

/** `encode` shows whether `decode` cleans spaces up; without it that is taken for granted. */
export type Decoder = Pick<Tokenizer, "decode"> & Partial<Tokenizer>;

const idList = "a list of token ids";

const sharedStart = (a: string, b: string): number => {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
};

/**
 * Decodes token ids that come one by one. A tokenizer decodes lists: a token's text depends on
 * those around it, and a character may be made of several. So each piece is what its token adds to
 * `decode` of the list so far, and what later tokens may change is held back: above all a character
 * until it is whole, and a space that `decode` may clean up. The pieces and the rest that `end`
 * gives, joined, are `decode` of the whole list, also where bytes never become a character. That
 * holds for every decoder of `@huggingface/tokenizers`, unless a Replace behind a Fuse takes
 * letters of several tokens for one.
 *
 * Each call decodes only the last tokens, as many as the text to come depends on.
 */
export class TextStream {
  readonly #tokenizer: Decoder;
  /** The last tokens. */
  #ids: number[] = [];
  /** How much of their text has been given, and the rest. */
  #given = 0;
  #held = "";
  /** How many tokens there are before some are dropped. */
  #most = 32;
  #cleans: boolean | undefined;

  /**
   * `before` has the ids of a text that the pieces go on with, such as a prompt's: then they begin
   * with the space that `decode` takes from the beginning of a text. Errors: `invalid_argument`.
   */
  constructor(tokenizer: Decoder, before: readonly number[] = []) {
    if (typeof (tokenizer as Partial<Decoder> | null)?.decode !== "function")
      refuse("tokenizer", tokenizer, "an object with decode(ids)");
    this.#tokenizer = tokenizer;
    listOf("before", before, idList, (id) => this.add(id as number));
  }

  /**
   * The text that a token adds; empty where it only begins a character. Errors: `invalid_argument`,
   * also for what `decode` throws.
   */
  add(id: number): string {
    this.#ids.push(integer("id", id, 0));
    const all = this.#decode(this.#ids);
    const end = this.#settled(all);
    const piece = all.slice(this.#given, end);
    this.#given = Math.max(this.#given, end);
    this.#held = all.slice(this.#given);
    this.#drop(all);
    return piece;
  }

  /** What is held back, as it is. Give it after the last token. */
  end(): string {
    const rest = this.#held;
    this.#given += rest.length;
    this.#held = "";
    return rest;
  }

  /** @internal */
  get isHolding(): boolean {
    return this.#held !== "";
  }

  /**
   * What a map or a list shows for each token: its text as it stands in the whole, with its space.
   * A character of several tokens is whole at the first of them, the others are "·"; bytes that
   * make none are "\ufffd".
   */
  static labels(tokenizer: Decoder, ids: readonly number[]): string[] {
    const stream = new TextStream(tokenizer);
    const list = listOf("ids", ids, idList, (id) => integer("id", id, 0));
    const labels: string[] = [];
    while (labels.length < list.length) {
      const next = list.slice(labels.length, labels.length + mostParts);
      labels.push(...stream.#labelled(next));
    }
    return labels;
  }

  /** The labels of the first character of what comes next. */
  #labelled(next: readonly number[]): string[] {
    const decoded = (count: number) => this.#decode([...this.#ids, ...next.slice(0, count)]);
    const first = decoded(1);
    let [all, count] = [first, 1];
    while (broken.test(all.slice(this.#given)) && count < next.length) all = decoded(++count);
    if (broken.test(all.slice(this.#given))) [all, count] = [first, 1];
    const added = all.slice(this.#given);
    const own = next.slice(0, count);
    const alone = this.#decode(own);
    // What a decoder writes between two tokens is part of neither, unless it is a space.
    const isWithin = alone !== "" && added.endsWith(alone);
    const between = isWithin ? added.slice(0, added.length - alone.length) : "";
    this.#ids.push(...own);
    this.#given = all.length;
    this.#drop(all);
    return [between.trim() ? alone : added || alone, ...Array<string>(count - 1).fill("·")];
  }

  #decode(ids: readonly number[]): string {
    const decode = () => this.#tokenizer.decode([...ids]);
    return text("tokenizer.decode", answerOf("tokenizer.decode", decode));
  }

  /** How much of the text of all tokens stays as it is, whatever follows. */
  #settled(all: string): number {
    // The end of a text may differ from its middle: "x</w>" is "x" there, and "x " before others.
    const longer = this.#decode([...this.#ids, ...this.#ids]);
    const whole = all.slice(0, sharedStart(all, longer)).replace(brokenEnd, "");
    const settled = whole.replace(uncleanEnd, "");
    return settled !== whole && this.#cleansUp() ? settled.length : whole.length;
  }

  /** Whether `decode` takes spaces away that a text has. */
  #cleansUp(): boolean {
    const sample = "a .";
    try {
      this.#cleans ??= !this.#decode(this.#tokenizer.encode!(sample)).includes(sample);
    } catch {
      this.#cleans = true;
    }
    return this.#cleans;
  }

  /**
   * Drops tokens on which the text to come does not depend: the rest ends as before without them,
   * and differs at its beginning at most. Where it does not, more are kept.
   */
  #drop(all: string): void {
    if (this.#ids.length < this.#most) return;
    const ids = this.#ids.slice(this.#most / 2);
    const less = this.#decode(ids);
    const end = less.slice(less.length / 2);
    if (all.endsWith(end) && end.length > all.length - this.#given) {
      this.#given -= all.length - less.length;
      this.#ids = ids;
    } else this.#most *= 2;
  }
}

keepFromProxies(TextStream);
guard(TextStream, { add: 1, end: 0 });

/**
 * Ids as they come, with their texts. A token goes on at once, unless something is held back after
 * it: then it waits for the next one, since the last token has the rest.
 */
export async function* withTexts(
  ids: AsyncIterable<number>,
  tokenizer: Tokenizer | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<GeneratedToken, void, void> {
  const stream = tokenizer && new TextStream(tokenizer);
  let waiting: GeneratedToken | undefined;
  for await (const id of ids) {
    if (waiting) {
      yield waiting;
      throwIfAborted(signal);
    }
    const token = { id, text: stream?.add(id) ?? "" };
    waiting = stream?.isHolding ? token : undefined;
    if (!waiting) yield token;
  }
  if (waiting) yield { id: waiting.id, text: waiting.text + stream!.end() };
}
