/** Reads a family's config.json key by key and tracks which keys were not read. */

import type { Architecture, ErrorCode } from "../types/index.js";
import { refuse, show } from "../wire/arguments.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import { emptyLists, harmless, neutral } from "./harmless.js";
import { aboutPresence, at, isObject, missing } from "./schemes.js";

type File = Record<string, unknown>;

/** Defaults and aliases of keys in a family's config class of Transformers. */
export interface ConfigClass {
  /** Values of keys that the file omits. Null is different: it means "none". */
  absent?: Readonly<Record<string, unknown>>;
  /** Aliases and the keys they stand for: an alias's value wins. */
  aliases?: Readonly<Record<string, string>>;
}

const activations: Record<string, NonNullable<Architecture["activation"]>> = {
  silu: "silu",
  swish: "silu",
  gelu: "gelu",
  gelu_python: "gelu",
  gelu_new: "geluTanh",
  gelu_fast: "geluTanh",
  gelu_pytorch_tanh: "geluTanh",
  gelu_accurate: "geluTanh",
  relu: "relu",
  relu2: "reluSquared",
  quick_gelu: "geluSigmoid",
};

/** Keys that every rotation has. */
const rotaryFacts = [
  "rope_theta",
  "rope_type",
  "partial_rotary_factor",
  "factor",
  "original_max_position_embeddings",
];

const namesOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));

/** The file with its class's defaults for omitted keys, and with one name for each key. */
function completed(given: File, { absent = {}, aliases = {} }: ConfigClass): File {
  const file: File = { ...absent };
  for (const [key, value] of Object.entries(given)) if (value !== undefined) file[key] = value;
  for (const [alias, key] of Object.entries(aliases)) {
    if (file[alias] === undefined) continue;
    file[key] = file[alias];
    delete file[alias];
  }
  return file;
}

/** Whether the config's files are quantised in this way. */
export const isPacked = (file: File, packing: "mxfp4"): boolean =>
  at(file, "quantization_config.quant_method") === packing;

export class ConfigReader {
  /** The file with the defaults of its family's class. */
  readonly file: File;
  readonly #given: File;
  readonly #names: Map<string, string>;
  readonly #absent: File;
  readonly #read = new Set<string>();
  /** Values computed from other keys, since the file has none. */
  readonly #derived = new Map<string, unknown>();

  constructor(given: File, family: ConfigClass) {
    this.#absent = family.absent ?? {};
    this.file = completed(given, family);
    this.#given = given;
    const said = Object.entries(family.aliases ?? {}).filter(([alias]) => alias in given);
    this.#names = new Map(said.map(([alias, key]) => [key, alias]));
  }

  /** The name of a key in the file. */
  #name(key: string): string {
    return this.#names.get(key) ?? key;
  }

  #isLeftOut(key: string): boolean {
    return at(this.file, key) !== undefined && at(this.#given, this.#name(key)) === undefined;
  }

  /** Undefined if the key is null, or absent without a default. */
  value(key: string): unknown {
    this.#read.add(key.split(".")[0]!);
    return at(this.file, key);
  }

  /** Errors: `code`, also if the default of an omitted key is not allowed. */
  refuse(key: string, value: unknown, allowed: string, code?: ErrorCode): never {
    const name = `config.${this.#name(key)}`;
    if (!this.#isLeftOut(key)) return refuse(name, value ?? null, allowed, code);
    const message = unexpected(name, `omitted (default ${show(value)})`, allowed);
    const details = { argument: name, value, allowed };
    throw aboutPresence(new WhereformerError(code ?? "invalid_argument", message, details));
  }

  /** `none` is the meaning of null; without it null is refused. */
  #of(key: string, none: unknown, kind: string): unknown {
    const value = this.value(key);
    if (value !== undefined) return value;
    if (none !== undefined) {
      this.#derived.set(this.#name(key), none);
      return none;
    }
    if (this.file[key] === null) return this.refuse(key, null, kind);
    throw missing(key);
  }

  number(key: string, none?: number): number {
    const value = this.#of(key, none, "a finite number");
    return typeof value === "number" && Number.isFinite(value)
      ? value
      : this.refuse(key, value, "a finite number");
  }

  flag(key: string, none?: boolean): boolean {
    const value = this.#of(key, none, "true or false");
    return typeof value === "boolean" ? value : this.refuse(key, value, "true or false");
  }

  activation(key: string): NonNullable<Architecture["activation"]> {
    return this.activationOf(key, this.value(key));
  }

  /** The activation of a key whose words differ from the usual ones. */
  activationOf(key: string, value: unknown): NonNullable<Architecture["activation"]> {
    return (
      (typeof value === "string" && Object.hasOwn(activations, value) && activations[value]) ||
      this.refuse(
        key,
        value,
        `one of ${namesOf(Object.keys(activations)).join(", ")}`,
        "unsupported",
      )
    );
  }

  /** Refuses every value but those allowed, by name. */
  only(key: string, ...allowed: unknown[]): void {
    const value = this.value(key);
    if (value !== undefined && !allowed.includes(value))
      this.refuse(key, value, namesOf(allowed).join(" or ") || "no such key", "unsupported");
  }

  /** Whether the output head has its own weights or is tied to the embedding. */
  head(): "own" | "tied" {
    return this.flag("tie_word_embeddings") ? "tied" : "own";
  }

  /** Refuses null for numbers: only a window may be null. */
  numbers(keys: readonly string[]): void {
    for (const key of keys)
      if (typeof this.#absent[key] === "number" && key !== "sliding_window") this.number(key);
  }

  /** Refuses null for rotary keys that do not allow it. */
  rotaryNumbers(): void {
    this.notNull("a number", "rope_theta");
    for (const group of ["rope_parameters", "rope_scaling"]) {
      const inner = this.#given[group];
      const all = isObject(inner) ? [inner, ...Object.values(inner)] : [];
      for (const key of rotaryFacts)
        if (all.some((part) => isObject(part) && part[key] === null))
          this.refuse(`${group}.${key}`, null, "a value, or no such key");
    }
  }

  /** Refuses null for keys that do not allow it. */
  notNull(allowed: string, ...keys: string[]): void {
    const raw = (path: string) =>
      path
        .split(".")
        .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), this.file);
    for (const key of keys) if (raw(key) === null) this.refuse(key, null, allowed);
  }

  /**
   * The keys that were read and are omitted in the file, with their defaults; empty if there are
   * none.
   */
  leftOut(): string {
    const all = new Map(this.#derived);
    for (const key of this.#read) if (this.#isLeftOut(key)) all.set(key, this.file[key]);
    return [...all].map(([key, value]) => `${key} (default ${show(value)})`).join(", ");
  }

  /** Refuses the first key that was not read and is not known to be harmless. */
  refuseRest(family: string, known: string): void {
    const names = new Set(known.split(/\s+/));
    for (const [key, value] of Object.entries(this.#given)) {
      if ((value ?? undefined) === undefined || !(key in this.file)) continue;
      if (this.#read.has(key) || harmless.has(key) || names.has(key)) continue;
      if (emptyLists.includes(key) && isObject(value) && Object.keys(value).length === 0) continue;
      if (Object.hasOwn(neutral, key)) {
        this.only(key, ...neutral[key]!);
        continue;
      }
      const [argument, allowed] = [`config.${key}`, `no such key with model_type "${family}"`];
      const message = unexpected(argument, show(value), allowed);
      const details = { argument, value, allowed };
      throw aboutPresence(new WhereformerError("unsupported", message, details));
    }
  }
}
