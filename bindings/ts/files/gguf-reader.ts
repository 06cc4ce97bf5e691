/** Reads the keys of one architecture by its table; refuses keys and values outside the table. */

import { maxInt32, refuse } from "../wire/arguments.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import type { GgufKeys } from "./gguf-keys.js";
import type { KeyTable, ReadKey } from "./gguf-table.js";

const isWhole = (value: number, minimum: number) =>
  Number.isInteger(value) && value >= minimum && value <= maxInt32;

/** Each kind's range, as text and as a check. */
export const ggufKinds: Record<
  ReadKey["kind"],
  readonly [words: string, holds?: (value: number) => boolean]
> = {
  size: ["a whole number from 1 to 2147483647", (value) => isWhole(value, 1)],
  count: ["a whole number from 0 to 2147483647", (value) => isWhole(value, 0)],
  counts: ["a whole number from 1 to 2147483647, 0 for some layers", (value) => isWhole(value, 1)],
  period: ["a whole number from 0 to 2147483647, no list", (value) => isWhole(value, 0)],
  positive: ["a number above 0", (value) => value > 0],
  notNegative: ["a number from 0", (value) => value >= 0],
  factor: ["0 or a number from 1", (value) => value === 0 || value >= 1],
  number: ["a number"],
  flag: ["true or false"],
  word: ["a string"],
};

type Value = number | boolean | string;

/** Equality of values; numbers may differ by the rounding of single precision. */
const isSame = (a: Value, b: Value) =>
  a === b ||
  (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= 1e-6 * Math.abs(b));

export class GgufReader {
  readonly keys: GgufKeys;
  readonly arch: string;
  readonly #table: KeyTable;

  constructor(keys: GgufKeys, arch: string, table: KeyTable) {
    this.keys = keys;
    this.arch = arch;
    this.#table = table;
  }

  /** The key's full name in the file. */
  name(key: string): string {
    return `${this.arch}.${key}`;
  }

  number(key: string): number {
    return this.#value(key) as number;
  }

  /** Of the kind "counts": the numbers of `layers` layers, all the same or 0. */
  counts(key: string, layers: number): number[] {
    const [name, count] = [this.name(key), this.number(key)];
    const listed = this.keys.isList(name) ? this.keys.numbers(name)! : undefined;
    if (listed && listed.length !== layers)
      refuse(name, listed, `${layers} numbers, one for each layer`, "malformed_file");
    return listed ?? Array.from({ length: Math.min(layers, 256) }, () => count);
  }

  flag(key: string): boolean {
    return this.#value(key) as boolean;
  }

  word(key: string): string {
    return this.#value(key) as string;
  }

  /** The file's value, or the default. */
  #value(key: string): Value {
    const rule = this.#table[key] as ReadKey;
    const [argument, allowed] = [this.name(key), ggufKinds[rule.kind][0]];
    const said = this.#said(argument, rule);
    if (said !== undefined) return this.#allowed(argument, said, rule);
    if (rule.absent === undefined)
      throw new WhereformerError("malformed_file", unexpected(argument, "missing", allowed), {
        argument,
        allowed,
      });
    return this.#allowed(`${argument} (omitted)`, this.#evaluated(rule.absent, rule), rule);
  }

  #said(name: string, { kind }: ReadKey): Value | undefined {
    if (kind === "word") return this.keys.text(name);
    if (kind === "flag") return this.keys.flag(name);
    const [words, holds = () => true] = ggufKinds[kind];
    const value = kind === "counts" ? this.#countOf(name) : this.keys.number(name);
    const isOne = kind !== "period" || !this.keys.isList(name);
    if (value === undefined || (isOne && holds(value))) return value;
    return refuse(name, this.keys.value(name), words, "malformed_file");
  }

  /** The one number of a list, without its zeros. */
  #countOf(name: string): number | undefined {
    if (!this.keys.isList(name)) return this.keys.number(name);
    const list = this.keys.numbers(name)!;
    const largest = Math.max(...list);
    const other = list.find((value) => value !== 0 && value !== largest);
    if (other === undefined) return list.length ? largest : Number.NaN;
    const [words, holds = () => true] = ggufKinds.counts;
    const areCounts = list.every((value) => value === 0 || holds(value));
    return refuse(name, list, words, areCounts ? "unsupported" : "malformed_file");
  }

  /** Evaluates an entry of `absent` or `only`. */
  #evaluated(value: Value, { kind }: ReadKey): Value {
    if (typeof value !== "string" || kind === "word") return value;
    const [, ofRoot] = /^1 \/ √(.+)$/.exec(value) ?? [];
    if (ofRoot) return 1 / Math.sqrt(this.number(ofRoot));
    const [first = "", second] = value.split(" / ");
    return second ? Math.floor(this.number(first) / this.number(second)) : this.number(first);
  }

  #allowed(name: string, value: Value, rule: ReadKey): Value {
    const { only, from, kind, because } = rule;
    const wanted = only?.map((one) => this.#evaluated(one, rule));
    if (!wanted || wanted.some((one) => isSame(value, one))) return value;
    const min = from === undefined ? undefined : this.number(from);
    if (min !== undefined && (value as number) >= min) return value;
    const words = wanted.map((one, i) => {
      const said = only![i];
      if (kind === "word") return `"${one}"`;
      return typeof said === "string" ? `${one} (${said})` : String(one);
    });
    if (min !== undefined) words.push(`a number from ${min} (${from})`);
    const allowed = `${words.join(" or ")}${because ? `, since ${because}` : ""}`;
    return refuse(name, value, allowed, "unsupported");
  }

  /**
   * Checks all keys of this architecture in the file. Errors: unsupported for a key that is not in
   * the table or an unsupported value; malformed_file for a value out of range.
   */
  refuseRest(): void {
    const prefix = this.name("");
    for (const name of this.keys.names()) {
      if (!name.startsWith(prefix)) continue;
      const key = name.slice(prefix.length);
      const rule = Object.hasOwn(this.#table, key)
        ? this.#table[key]
        : this.#table[key.replace(/\..*/, ".*")];
      if (rule === undefined) refuse(name, this.keys.value(name), "no such key", "unsupported");
      if (rule !== "harmless") this.#value(key);
    }
    for (const [key, rule] of Object.entries(this.#table))
      if (rule !== "harmless" && rule.only) this.#value(key);
  }
}
