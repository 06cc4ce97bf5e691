/** Decodes a growing list of tokens to text. */

import type { GeneratedToken, Generation, Tokenizer } from "../types/index.js";
import { integer, listOf, refuse, text } from "../wire/arguments.js";
import { answerOf, keepFromProxies } from "../wire/error.js";
import { guard } from "../wire/guard.js";
import { throwIfAborted } from "../wire/signal.js";

/** Incomplete characters: U+FFFD for incomplete bytes, and half of a surrogate pair. */
const broken = /[\ufffd\p{Cs}]/u;
const brokenEnd = /[\ufffd\p{Cs}]+$/u;

/**
 * Endings that `clean_up_tokenization_spaces` may still change: " ." becomes ".", " n't" "n't", and
 * " ' " "'", unless a punctuation mark takes its second space.
 */
const uncleanEnd = /[ '][ n'vr]*$/;

/** Maximum tokens of one character: one for each byte. */
const maxParts = 4;

/** `encode` serves to find out if `decode` cleans up spaces; without it, `decode` is assumed to. */
export type Decoder = Pick<Tokenizer, "decode"> & Partial<Tokenizer>;

const idList = "a list of token ids";

const sharedStart = (a: string, b: string): number => {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
};

/**
 * Decodes token ids that come one by one. A tokenizer decodes lists: a token's text depends on
 * those around it, and a character may consist of several. So each piece is what its token adds to
 * `decode` of the list so far, and text that later tokens may change is held back: above all a
 * character until it is complete, and a space that `decode` may clean up. All pieces and the rest
 * from `end`, joined, equal `decode` of the whole list, even if bytes never become a character.
 * That holds for every decoder of `@huggingface/tokenizers`, unless a Replace behind a Fuse joins
 * letters of several tokens.
 *
 * Each call decodes only the last tokens, as many as the next text depends on.
 */
export class TextStream {
  readonly #tokenizer: Decoder;
  /** The last tokens. */
  #ids: number[] = [];
  /** Length of their text that has been returned, and the rest. */
  #given = 0;
  #held = "";
  /** Maximum tokens before some are dropped. */
  #max = 32;
  #cleans: boolean | undefined;

  /**
   * `before` has the ids of a text that the pieces continue, such as a prompt's: then they begin
   * with the space that `decode` removes from the beginning of a text. Errors: `invalid_argument`.
   */
  constructor(tokenizer: Decoder, before: readonly number[] = []) {
    if (typeof (tokenizer as Partial<Decoder> | null)?.decode !== "function")
      refuse("tokenizer", tokenizer, "an object with decode(ids)");
    this.#tokenizer = tokenizer;
    listOf("before", before, idList, (id) => this.add(id as number));
  }

  /**
   * Returns the text that a token adds; empty if it only begins a character. Errors:
   * `invalid_argument`, also for errors that `decode` throws.
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

  /** Returns the text that is held back, unchanged. Call it after the last token. */
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
   * Labels of tokens for a map or a list: each token's text as in the whole, with its space. A
   * character of several tokens is shown at the first of them, the others are "·"; bytes that form
   * no character are "\ufffd".
   */
  static labels(tokenizer: Decoder, ids: readonly number[]): string[] {
    const stream = new TextStream(tokenizer);
    const list = listOf("ids", ids, idList, (id) => integer("id", id, 0));
    const labels: string[] = [];
    while (labels.length < list.length) {
      const next = list.slice(labels.length, labels.length + maxParts);
      labels.push(...stream.#labelled(next));
    }
    return labels;
  }

  /** The labels of the tokens up to the end of the next character. */
  #labelled(next: readonly number[]): string[] {
    const decoded = (count: number) => this.#decode([...this.#ids, ...next.slice(0, count)]);
    const first = decoded(1);
    let [all, count] = [first, 1];
    while (broken.test(all.slice(this.#given)) && count < next.length) all = decoded(++count);
    if (broken.test(all.slice(this.#given))) [all, count] = [first, 1];
    const added = all.slice(this.#given);
    const known = next.slice(0, count);
    const alone = this.#decode(known);
    // Text that a decoder inserts between two tokens is part of neither, unless it is a space.
    const isWithin = alone !== "" && added.endsWith(alone);
    const between = isWithin ? added.slice(0, added.length - alone.length) : "";
    this.#ids.push(...known);
    this.#given = all.length;
    this.#drop(all);
    return [between.trim() ? alone : added || alone, ...Array<string>(count - 1).fill("·")];
  }

  #decode(ids: readonly number[]): string {
    const decode = () => this.#tokenizer.decode([...ids]);
    return text("tokenizer.decode", answerOf("tokenizer.decode", decode));
  }

  /** Length of the text that stays the same whatever follows. */
  #settled(all: string): number {
    // The end of a text may differ from its middle: "x</w>" is "x" there, and "x " before others.
    const longer = this.#decode([...this.#ids, ...this.#ids]);
    const whole = all.slice(0, sharedStart(all, longer)).replace(brokenEnd, "");
    const settled = whole.replace(uncleanEnd, "");
    return settled !== whole && this.#cleansUp() ? settled.length : whole.length;
  }

  /** Whether `decode` removes spaces of a text. */
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
   * Drops tokens on which the next text does not depend: the text of the rest ends as before
   * without them, and differs at most at its beginning. If it does not, more are kept.
   */
  #drop(all: string): void {
    if (this.#ids.length < this.#max) return;
    const ids = this.#ids.slice(this.#max / 2);
    const less = this.#decode(ids);
    const end = less.slice(less.length / 2);
    if (all.endsWith(end) && end.length > all.length - this.#given) {
      this.#given -= all.length - less.length;
      this.#ids = ids;
    } else this.#max *= 2;
  }
}

keepFromProxies(TextStream);
guard(TextStream, { add: 1, end: 0 });

/** Length of the longest end of a text with which one of `stops` may begin. */
function beginningOfStop(text: string, stops: readonly string[]): number {
  const longest = Math.max(0, ...stops.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--)
    if (stops.some((stop) => stop.startsWith(text.slice(-length)))) return length;
  return 0;
}

/** Index of the first of `stops` in a text; -1 if it has none. */
const indexOfStop = (text: string, stops: readonly string[]): number =>
  stops.map((stop) => text.indexOf(stop)).reduce(earlier, -1);
const earlier = (a: number, b: number) => (a < 0 || (b >= 0 && b < a) ? b : a);

/** Tokens that wait, since the end of their text is not known yet. */
class WaitingTokens {
  #tokens: GeneratedToken[] = [];
  readonly #stops: readonly string[];

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  get #text(): string {
    return this.#tokens.map(({ text }) => text).join("");
  }

  /** Adds a token; returns whether the text now has one of the stops, at which it is cut off. */
  add(token: GeneratedToken): boolean {
    this.#tokens.push(token);
    const stop = indexOfStop(this.#text, this.#stops);
    if (stop < 0) return false;
    let rest = stop;
    this.#tokens = this.#tokens.filter((one) => {
      const isBefore = rest > 0;
      one.text = one.text.slice(0, rest);
      rest -= one.text.length;
      return isBefore;
    });
    return true;
  }

  /** Removes the tokens before the last `held` characters, and the last one if it `waits`. */
  *settled(waits: boolean): Generator<GeneratedToken, void, void> {
    let settled = this.#text.length - beginningOfStop(this.#text, this.#stops);
    while (this.#tokens.length > (waits ? 1 : 0) && this.#tokens[0]!.text.length <= settled) {
      const token = this.#tokens.shift()!;
      settled -= token.text.length;
      yield token;
    }
  }

  *all(): Generator<GeneratedToken, void, void> {
    yield* this.#tokens.splice(0);
  }
}

/**
 * Yields tokens with their texts as they come. A token is yielded at once, unless text is held back
 * after it, or its text may begin one of `stops`: then it waits for the next ones, since the last
 * token gets the rest. Ends before a text of `stops`. Returns `done`, with its reason.
 */
export async function* withTexts(
  tokens: AsyncIterable<Omit<GeneratedToken, "text">>,
  done: Generation,
  tokenizer: Tokenizer | undefined,
  { stops, signal }: { stops: readonly string[]; signal?: AbortSignal | undefined },
): AsyncGenerator<GeneratedToken, Generation, void> {
  const stream = tokenizer && new TextStream(tokenizer);
  const waiting = new WaitingTokens(stops);
  for await (const written of tokens) {
    for (const token of waiting.settled(false)) {
      yield token;
      throwIfAborted(signal);
    }
    if (waiting.add({ ...written, text: stream?.add(written.id) ?? "" })) {
      yield* waiting.all();
      done.reason = "stop";
      return done;
    }
    yield* waiting.settled(stream?.isHolding ?? false);
  }
  const rest = [...waiting.all()];
  const last = rest.at(-1);
  if (last && stream) last.text += stream.end();
  yield* rest;
  return done;
}
