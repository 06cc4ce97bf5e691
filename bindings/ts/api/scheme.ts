import { isFormula } from "../config/formula-options.js";
import { headSizes, type MadeFor, maxHeads } from "../config/head-sizes.js";
import {
  checkSchemeOptions,
  findScheme,
  readOptions,
  schemeChoice,
} from "../config/scheme-options.js";
import type { Frequencies, Scheme as RawScheme } from "../generated/module.js";
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
import { checkObject, checkOptions, integer, refuse, seedOf } from "../wire/arguments.js";
import { lengthOf } from "../wire/arrays.js";
import { type Core, space, spaceOfFloats } from "../wire/core.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import {
  checkedPositions,
  nameNotFinite,
  outOf,
  positions,
  positionsIn,
  tensor,
} from "../wire/lists.js";
import { describeConfigured } from "./descriptions.js";
import { changedRows } from "./rows.js";
import { withChoice } from "./scheme-choice.js";
import { operand } from "./tensors.js";

const maxWidth = 1 << 20;

export class SchemeHandle extends EngineObject<RawScheme> implements Scheme {
  readonly description: SchemeDescription;
  readonly options: OptionValues;
  /** @internal */
  readonly madeFor: MadeFor;
  readonly #width: number;
  readonly #isFormula: boolean;

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
    const choice = schemeChoice(schemes, description, options, numHeads);
    const width =
      options["hiddenSize"] === undefined
        ? 0
        : integer("hiddenSize", options["hiddenSize"], 1, maxWidth);
    const shape = { numHeads, numKvHeads: numKvHeads ?? numHeads, headDim, valueDim: 0, width };
    const made = withChoice(core, choice, (chosen) =>
      core.run(0, (raw) => core.made(raw.Scheme.make(chosen, shape))),
    );
    super(core, made, "scheme");
    this.#isFormula = isFormula(description);
    this.description = this.#isFormula
      ? Object.freeze(describeConfigured(core, made, description))
      : description;
    this.madeFor = madeFor;
    this.options = core.run(0, () =>
      readOptions(description, (index) => core.takeDoubles(made.option(index))),
    );
    this.#width = width || numHeads * headDim;
    try {
      this.#fill(options["parameters"]);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #fill(given: unknown): void {
    // Formulas declare their parameters among the options, with their values.
    if (given === undefined || this.#isFormula) return;
    if (typeof given === "number") {
      const seed = seedOf(given);
      this.core.run(0, () => this.core.check(this.raw.initialise(seed)));
      return;
    }
    checkObject("parameters", given);
    const present = this.parameters();
    const names = Object.keys(present);
    checkOptions("parameters", given, names);
    for (const [name, value] of Object.entries(given)) {
      const { data, shape } = tensor(`parameters.${name}`, value);
      const expected = present[name]!.shape;
      if (shape.join() !== expected.join())
        refuse(`parameters.${name}.shape`, shape, `[${expected.join(",")}]`);
      this.core.run(space(data), () =>
        this.core.check(
          this.raw.setParameter(names.indexOf(name), this.core.put(data), lengthOf(data)),
        ),
      );
    }
  }

  parameters(): Record<string, Tensor> {
    const { core, raw } = this;
    return core.run(0, () => {
      core.check(raw.prepareParameters());
      const list = Array.from({ length: raw.parameterCount() }, (_, i) => raw.parameter(i));
      return Object.fromEntries(
        list.map(({ name, rows, columns, numbers }) => [
          String(name),
          { data: core.takeFloats(numbers), shape: rows > 1 ? [rows, columns] : [columns] },
        ]),
      );
    });
  }

  rotate(x: Operand, at?: Positions, options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    const { data, shape } = operand(this.core, "x", x, ["[H,T,D]"]);
    const [heads, rows, columns] = shape as [number, number, number];
    const { headDim } = this.madeFor;
    if (columns !== headDim) refuse("x.shape", shape, `[H,T,${headDim}]`);
    if (heads > maxHeads) refuse("x.shape", shape, `[H,T,${headDim}] with H up to ${maxHeads}`);
    const atPositions = positions("positions", at, rows);
    const { core } = this;
    return nameNotFinite({ x: data }, () =>
      changedRows(
        core,
        "x",
        { data, shape },
        rows * columns,
        options.out,
        [atPositions],
        (_, at, length, first, [positionsAt]) =>
          this.raw.rotate(heads, first, rows, positionsAt!, atPositions.length, at, length),
      ),
    );
  }

  embeddings(at: Positions, options: { seed?: number; out?: Out } = {}): Tensor {
    if (at === undefined) refuse("positions", at, "a list of integers");
    checkOptions("options", options, ["seed", "out"]);
    const given = positionsIn("positions", at);
    const rows = given.shape[1] ?? given.list.length;
    const atPositions = checkedPositions(
      "positions",
      given,
      given.shape.length === 2 ? rows : undefined,
    );
    const seed = seedOf(options.seed, -1);
    const count = rows * this.#width;
    const out = outOf(options.out, count);
    const { core, raw } = this;
    const data = core.run(space(atPositions) + spaceOfFloats(count), () => {
      const to = core.room(count);
      core.check(raw.embeddings(rows, core.put(atPositions), atPositions.length, seed, to, count));
      return core.take(to, count, out);
    });
    return { data, shape: [rows, this.#width] };
  }

  bias(queryPositions: Positions, keyPositions: Positions, options: { out?: Out } = {}): Tensor {
    checkOptions("options", options, ["out"]);
    if (queryPositions === undefined)
      refuse("queryPositions", queryPositions, "a list of integers");
    if (keyPositions === undefined) refuse("keyPositions", keyPositions, "a list of integers");
    const queries = positions("queryPositions", queryPositions);
    const keys = positions("keyPositions", keyPositions);
    const count = this.madeFor.numHeads * queries.length * keys.length;
    const out = outOf(options.out, count);
    const { core, raw } = this;
    const data = core.run(space(queries) + space(keys) + spaceOfFloats(count), () => {
      const to = core.room(count);
      const [q, k] = [core.put(queries), core.put(keys)];
      core.check(raw.bias(q, queries.length, k, keys.length, to, count));
      return core.take(to, count, out);
    });
    return { data, shape: [this.madeFor.numHeads, queries.length, keys.length] };
  }

  cost(sizes: { queries?: number; keys?: number; width?: number } = {}): SchemeCost {
    checkOptions("sizes", sizes, ["queries", "keys", "width"]);
    const { numHeads, headDim } = this.madeFor;
    const queries = integer("queries", sizes.queries ?? 1, 1);
    const keys = integer("keys", sizes.keys ?? queries, 1);
    const width = integer("width", sizes.width ?? numHeads * headDim, 1, maxWidth);
    const { core, raw } = this;
    const { code, ...cost } = core.run(0, () => raw.cost(queries, keys, width));
    core.check(code);
    return cost;
  }

  frequencies(sequenceLength = 1): { inverseFrequencies: Float32Array; attentionFactor: number } {
    const length = integer("sequenceLength", sequenceLength, 1);
    const { core, raw } = this;
    const max = this.madeFor.headDim;
    return core.run(spaceOfFloats(max), () => {
      const to = core.room(max);
      const { code, attentionFactor, count }: Frequencies = raw.frequencies(length, to, max);
      core.check(code);
      return { attentionFactor, inverseFrequencies: core.take(to, count) };
    });
  }
}

guard(SchemeHandle, {
  parameters: 0,
  rotate: 3,
  embeddings: 2,
  bias: 3,
  cost: 1,
  frequencies: 1,
});
