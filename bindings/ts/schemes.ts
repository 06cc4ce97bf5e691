import {
  boolean,
  checkObject,
  checkOptions,
  choice,
  gridCells,
  integer,
  nameNotFinite,
  number,
  outOf,
  positions,
  refuse,
  seedOf,
  tensor,
  text,
} from "./arguments.js";
import type { Answer, Core, Item } from "./core.js";
import { WhereformerError } from "./error.js";
import { Handle } from "./handle.js";
import { changedRows } from "./products.js";
import { operand } from "./tensors.js";
import type {
  Operand,
  OptionValue,
  OptionValues,
  Out,
  Positions,
  Scheme,
  SchemeCost,
  SchemeDescription,
  SchemeOption,
  Tensor,
} from "./types.js";

const mostHeads = 4096;
const mostHeadDim = 4096;
const mostWidth = 1 << 20;

/** Sizes a scheme was made for. `numKvHeads` is undefined where nobody said it. */
export interface MadeFor {
  numHeads: number;
  headDim: number;
  numKvHeads: number | undefined;
}

/** numHeads, headDim and, if given, numKvHeads of an options object. */
export function headSizes(options: Record<string, unknown>): MadeFor {
  const numHeads = integer("numHeads", options["numHeads"], 1, mostHeads);
  const headDim = integer("headDim", options["headDim"], 1, mostHeadDim);
  return { numHeads, headDim, numKvHeads: kvHeads(options["numKvHeads"], numHeads) };
}

export function kvHeads(value: unknown, numHeads: number): number | undefined {
  if (value === undefined) return undefined;
  const numKvHeads = integer("numKvHeads", value, 1, mostHeads);
  return numHeads % numKvHeads
    ? refuse("numKvHeads", value, `a divisor of numHeads, ${numHeads}`)
    : numKvHeads;
}

export function findScheme(schemes: readonly SchemeDescription[], id: unknown): SchemeDescription {
  const found = schemes.find((scheme) => scheme.id === text("scheme", id));
  if (found) return found;
  const allowed = schemes.map((scheme) => scheme.id).join(", ");
  throw new WhereformerError(
    "unknown_scheme",
    `scheme: "${String(id).slice(0, 40)}" is unknown; known are ${allowed}`,
    {
      argument: "scheme",
      value: id,
      allowed,
    },
  );
}

function numberList({ key, minimum, maximum }: SchemeOption, value: unknown): number[] {
  if (!Array.isArray(value) && !(value instanceof Float32Array || value instanceof Float64Array))
    return refuse(key, value, "a list of numbers");
  return Array.from(value, (item: unknown, i) => number(`${key}[${i}]`, item, minimum, maximum));
}

function checkedOption(option: SchemeOption, value: unknown): OptionValue {
  switch (option.kind) {
    case "boolean":
      return boolean(option.key, value);
    case "integer":
      return integer(option.key, value, option.minimum ?? 0, option.maximum);
    case "number":
      return number(option.key, value, option.minimum, option.maximum);
    case "choice":
      return choice(option.key, value, option.choices ?? []);
    case "list":
      return numberList(option, value);
  }
}

/** "group" and "key" of "group.key"; a plain key has no group. */
function parts(key: string): { group: string | undefined; name: string } {
  const dot = key.indexOf(".");
  return dot < 0
    ? { group: undefined, name: key }
    : { group: key.slice(0, dot), name: key.slice(dot + 1) };
}

/** Refuses what is none of a scheme's options, nor one of those `beside` them. */
export function checkSchemeOptions(
  argument: string,
  description: SchemeDescription,
  options: unknown,
  beside: readonly string[] = [],
): asserts options is Record<string, unknown> {
  const groups = new Map<string, string[]>();
  const known = [...beside];
  for (const { key } of description.options) {
    const { group, name } = parts(key);
    if (group === undefined) known.push(name);
    else groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  checkOptions(argument, options, [...known, ...groups.keys()]);
  checkObject(argument, options);
  for (const [group, names] of groups)
    if (options[group] !== undefined) checkOptions(group, options[group], names);
}

/** The value of an option that may be nested. */
function givenValue(options: Record<string, unknown>, key: string): unknown {
  const { group, name } = parts(key);
  if (group === undefined) return options[name];
  return (options[group] as Record<string, unknown> | undefined)?.[name];
}

/** An option's value as the engine has it: a choice is the index of its word. */
function numbersOf({ choices }: SchemeOption, value: OptionValue): number[] {
  if (typeof value === "string") return [choices!.indexOf(value)];
  return typeof value === "object" ? value : [Number(value)];
}

/**
 * A scheme and its own options, checked against its description, as the engine takes them; those not
 * given are left out.
 */
export function schemeItems(
  schemes: readonly SchemeDescription[],
  description: SchemeDescription,
  options: Record<string, unknown>,
): Item[] {
  const given: Item[][] = [];
  description.options.forEach((option, i) => {
    const value = givenValue(options, option.key);
    if (value === undefined) return;
    given.push([i, Float64Array.from(numbersOf(option, checkedOption(option, value)))]);
  });
  return [schemes.indexOf(description), given.length, ...given.flat()];
}

function optionValue({ kind, choices }: SchemeOption, numbers: Float64Array): OptionValue {
  if (kind === "list") return [...numbers];
  const value = numbers[0]!;
  return kind === "boolean" ? value !== 0 : kind === "choice" ? choices![value]! : value;
}

/** All options of a scheme. */
export function readOptions(answer: Answer, description: SchemeDescription): OptionValues {
  const values: OptionValues = {};
  for (const option of description.options) {
    const { group, name } = parts(option.key);
    const value = optionValue(option, answer.doubles());
    if (group === undefined) values[name] = value;
    else values[group] = { ...(values[group] as Record<string, OptionValue>), [name]: value };
  }
  return values;
}

export class SchemeHandle extends Handle implements Scheme {
  readonly description: SchemeDescription;
  readonly options: OptionValues;
  /** @internal */
  readonly madeFor: MadeFor;
  readonly #width: number;

  constructor(core: Core, schemes: readonly SchemeDescription[], id: unknown, options: unknown) {
    const description = findScheme(schemes, id);
    checkSchemeOptions("options", description, options, [
      "numHeads",
      "headDim",
      "numKvHeads",
      "hiddenSize",
      "parameters",
    ]);
    const madeFor = headSizes(options);
    const { numHeads, headDim, numKvHeads } = madeFor;
    const items = schemeItems(schemes, description, options);
    const width =
      options["hiddenSize"] === undefined
        ? 0
        : integer("hiddenSize", options["hiddenSize"], 1, mostWidth);
    const shape = [numHeads, numKvHeads ?? numHeads, headDim, width];
    super(core, core.make("makeScheme", 0, [...items, ...shape]), "scheme");
    this.description = description;
    this.madeFor = madeFor;
    this.options = this.call("schemeOptions", [], (answer) => readOptions(answer, description));
    this.#width = width || numHeads * headDim;
    try {
      this.#fill(options["parameters"]);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #fill(given: unknown): void {
    if (given === undefined) return;
    if (typeof given === "number") {
      this.call("initialise", [seedOf(given)], () => {});
      return;
    }
    checkObject("parameters", given);
    const own = this.parameters();
    const names = Object.keys(own);
    checkOptions("parameters", given, names);
    for (const [name, value] of Object.entries(given)) {
      const { data, shape } = tensor(`parameters.${name}`, value);
      const expected = own[name]!.shape;
      if (shape.join() !== expected.join())
        refuse(`parameters.${name}.shape`, shape, `[${expected.join(",")}]`);
      this.call("setParameter", [names.indexOf(name), data], () => {});
    }
  }

  parameters(): Record<string, Tensor> {
    return this.call("parameters", [], (answer) =>
      Object.fromEntries(
        answer.list(() => {
          const name = answer.text();
          const [rows, columns] = [answer.number(), answer.number()];
          return [name, { data: answer.floats(), shape: rows > 1 ? [rows, columns] : [columns] }];
        }),
      ),
    );
  }

  rotate(x: Operand, at?: Positions, options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    const { data, shape } = operand(this.core, "x", x, ["[H,T,D]"]);
    const [heads, rows, columns] = shape as [number, number, number];
    const { headDim } = this.madeFor;
    if (columns !== headDim) refuse("x.shape", shape, `[H,T,${headDim}]`);
    if (heads > mostHeads) refuse("x.shape", shape, `[H,T,${headDim}] with H to ${mostHeads}`);
    const places = positions("positions", at, rows);
    const { address } = this;
    return nameNotFinite({ x }, () =>
      changedRows(
        this.core,
        { data, shape },
        rows * columns,
        options.out,
        [],
        (piece, first, out) =>
          this.core.change("rotate", address, [heads, first, rows, places, piece], out),
      ),
    );
  }

  embeddings(at: Positions, options: { seed?: number; out?: Out } = {}): Tensor {
    if (at === undefined) refuse("positions", at, "a list of integers");
    checkOptions("options", options, ["seed", "out"]);
    const places = positions("positions", at, gridCells(at));
    const count = gridCells(at) ?? places.length;
    const items = [count, places, seedOf(options.seed, -1)];
    const out = outOf(options.out, count * this.#width);
    const data = this.call("embeddings", items, (answer) => answer.floats(out));
    return { data, shape: [count, this.#width] };
  }

  bias(queryPositions: Positions, keyPositions: Positions, options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    if (queryPositions === undefined)
      refuse("queryPositions", queryPositions, "a list of integers");
    if (keyPositions === undefined) refuse("keyPositions", keyPositions, "a list of integers");
    const queries = positions("queryPositions", queryPositions);
    const keys = positions("keyPositions", keyPositions);
    const shape = [this.madeFor.numHeads, queries.length, keys.length] as const;
    const out = outOf(options.out, shape[0] * shape[1] * shape[2]);
    const data = this.call("bias", [queries, keys], (answer) => answer.floats(out));
    return { data, shape: [...shape] };
  }

  cost(sizes: { queries?: number; keys?: number; width?: number } = {}): SchemeCost {
    checkOptions("sizes", sizes, ["queries", "keys", "width"]);
    const { numHeads, headDim } = this.madeFor;
    const queries = integer("queries", sizes.queries ?? 1, 1);
    const keys = integer("keys", sizes.keys ?? queries, 1);
    const width = integer("width", sizes.width ?? numHeads * headDim, 1, mostWidth);
    return this.call("cost", [queries, keys, width], (answer) => ({
      modelParameters: answer.number(),
      layerParameters: answer.number(),
      onceFlops: answer.number(),
      layerFlops: answer.number(),
      cacheFloats: answer.number(),
    }));
  }

  frequencies(sequenceLength = 1): { inverseFrequencies: Float32Array; attentionFactor: number } {
    const length = integer("sequenceLength", sequenceLength, 1);
    return this.call("frequencies", [length], (answer) => ({
      attentionFactor: answer.number(),
      inverseFrequencies: answer.floats(),
    }));
  }
}
