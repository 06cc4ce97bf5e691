import { headSizes, type MadeFor, mostHeads } from "../config/head-sizes.js";
import {
  checkSchemeOptions,
  findScheme,
  readOptions,
  schemeItems,
} from "../config/scheme-options.js";
import type {
  Operand,
  OptionValues,
  Out,
  Positions,
  Scheme,
  SchemeCost,
  SchemeDescription,
  Tensor,
} from "../types/index.js";
import {
  checkObject,
  checkOptions,
  gridCells,
  integer,
  nameNotFinite,
  outOf,
  positions,
  refuse,
  seedOf,
  tensor,
} from "../wire/arguments.js";
import type { Core } from "../wire/core.js";
import { Handle } from "../wire/handle.js";
import { changedRows } from "./products.js";
import { operand } from "./tensors.js";

const mostWidth = 1 << 20;

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
