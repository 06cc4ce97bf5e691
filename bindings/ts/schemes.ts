import {
  boolean,
  checkObject,
  checkOptions,
  choice,
  gridCells,
  integer,
  number,
  positions,
  refuse,
  seedOf,
  tensor,
  text,
} from "./arguments.js";
import type { Core, RawScheme } from "./core.js";
import { WhereformerError } from "./error.js";
import { Handle } from "./handle.js";
import type {
  OptionValue,
  OptionValues,
  Positions,
  Scheme,
  SchemeCost,
  SchemeDescription,
  SchemeOption,
  Tensor,
  TensorLike,
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

/** A scheme's own options, checked against its description; those not given are left out. */
export function schemeOptions(description: SchemeDescription, options: Record<string, unknown>) {
  const given = description.options.filter(({ key }) => givenValue(options, key) !== undefined);
  return {
    keys: given.map((option) => option.key),
    values: given.map((option) => checkedOption(option, givenValue(options, option.key))),
  };
}

export class SchemeHandle extends Handle<RawScheme> implements Scheme {
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
    const { keys, values } = schemeOptions(description, options);
    const width =
      options["hiddenSize"] === undefined
        ? 0
        : integer("hiddenSize", options["hiddenSize"], 1, mostWidth);
    const raw = core.call((engine) =>
      engine.Scheme.make(
        description.id,
        numHeads,
        numKvHeads ?? numHeads,
        headDim,
        width,
        keys,
        values,
      ),
    );
    super(core, raw, "scheme");
    this.description = description;
    this.madeFor = madeFor;
    this.options = raw.options();
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
      this.raw.initialise(seedOf(given));
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
      this.core.call(() => this.raw.setParameter(names.indexOf(name), data));
    }
  }

  parameters(): Record<string, Tensor> {
    return this.core.call(() => this.raw.parameters());
  }

  rotate(x: TensorLike, at?: Positions): Tensor {
    const { data, shape } = tensor("x", x, ["[H,T,D]"]);
    const [heads, rows, columns] = shape as [number, number, number];
    const { headDim } = this.madeFor;
    if (columns !== headDim) refuse("x.shape", shape, `[H,T,${headDim}]`);
    if (heads > mostHeads) refuse("x.shape", shape, `[H,T,${headDim}] with H to ${mostHeads}`);
    const places = positions("positions", at, rows);
    return { data: this.core.call(() => this.raw.rotate(data, heads, rows, places)), shape };
  }

  embeddings(at: Positions, options: { seed?: number } = {}): Tensor {
    if (at === undefined) refuse("positions", at, "a list of integers");
    checkOptions("options", options, ["seed"]);
    const places = positions("positions", at, gridCells(at));
    const count = gridCells(at) ?? places.length;
    const data = this.core.call(() => this.raw.embeddings(places, count, seedOf(options.seed, -1)));
    return { data, shape: [count, this.#width] };
  }

  bias(queryPositions: Positions, keyPositions: Positions): Tensor {
    if (queryPositions === undefined)
      refuse("queryPositions", queryPositions, "a list of integers");
    if (keyPositions === undefined) refuse("keyPositions", keyPositions, "a list of integers");
    const queries = positions("queryPositions", queryPositions);
    const keys = positions("keyPositions", keyPositions);
    const data = this.core.call(() => this.raw.bias(queries, keys));
    return { data, shape: [this.madeFor.numHeads, queries.length, keys.length] };
  }

  cost(sizes: { queries?: number; keys?: number; width?: number } = {}): SchemeCost {
    checkOptions("sizes", sizes, ["queries", "keys", "width"]);
    const { numHeads, headDim } = this.madeFor;
    const queries = integer("queries", sizes.queries ?? 1, 1);
    const keys = integer("keys", sizes.keys ?? queries, 1);
    const width = integer("width", sizes.width ?? numHeads * headDim, 1, mostWidth);
    return this.core.call(() => this.raw.cost(queries, keys, width));
  }

  frequencies(sequenceLength = 1): { inverseFrequencies: Float32Array; attentionFactor: number } {
    const length = integer("sequenceLength", sequenceLength, 1);
    return this.core.call(() => this.raw.frequencies(length));
  }
}
