/** Measures of heads over texts: the arguments and steps of `model.heads`. */

import { headMeasures } from "../generated/fields.js";
import type { HeadMeasureName, HeadsOptions, HeadsResult, Model, Tensor } from "../types/index.js";
import { checkOptions, integer } from "../wire/arguments.js";
import { indices } from "../wire/lists.js";
import { textsOf } from "./embed-texts.js";

/** The measures of one text, for each layer. */
export interface MeasuredLayer {
  /** [H',measures]. */
  values: Float32Array;
  /** [H',T]: the mean weight, and the number of visible keys, by distance. */
  curves: Float32Array;
  counts: Float32Array;
  /** [H',P]. */
  pairs: Float32Array;
}

export interface MeasuredText {
  tokens: number;
  layers: readonly MeasuredLayer[];
}

/** A model that measures the chosen heads over one text. */
export interface HeadReader extends Pick<Model, "config"> {
  /** `argument` names the text in messages. */
  measured(argument: string, text: unknown, region: HeadRegion): MeasuredText;
}

/** Indices; an empty list means all. */
export interface HeadRegion {
  layers: Int32Array;
  heads: Int32Array;
}

/** The texts of a call, which are read one at a time. */
export interface HeadsCall {
  count: number;
  read(index: number): void;
  result(): HeadsResult;
}

/** Mean and standard deviation of numbers that come one by one, without those that are NaN. */
class Spread {
  readonly #count: Float64Array;
  readonly #mean: Float64Array;
  /** Σ (x − mean)², updated as in Welford 1962. */
  readonly #squares: Float64Array;

  constructor(size: number) {
    this.#count = new Float64Array(size);
    this.#mean = new Float64Array(size);
    this.#squares = new Float64Array(size);
  }

  add(index: number, value: number): void {
    if (Number.isNaN(value)) return;
    this.#count[index]! += 1;
    const before = value - this.#mean[index]!;
    this.#mean[index]! += before / this.#count[index]!;
    this.#squares[index]! += before * (value - this.#mean[index]!);
  }

  mean = (): Float32Array =>
    Float32Array.from(this.#mean, (mean, i) => (this.#count[i] ? mean : Number.NaN));

  deviation = (): Float32Array =>
    Float32Array.from(this.#squares, (squares, i) => {
      const count = this.#count[i]!;
      return count ? Math.sqrt(squares / Math.max(1, count - 1)) : Number.NaN;
    });
}

const maxDistances = 2 ** 20;

/** Checks the arguments of a call. */
export function headsCall(model: HeadReader, input: unknown, options: HeadsOptions): HeadsCall {
  checkOptions("options", options, ["layers", "heads", "maxDistance"]);
  const { numLayers, numHeads } = model.config;
  const region = {
    layers: indices("layers", options.layers, numLayers),
    heads: indices("heads", options.heads, numHeads),
  };
  const max = integer("maxDistance", options.maxDistance ?? 1023, 0, maxDistances) + 1;
  const all = (list: Int32Array, count: number) =>
    list.length ? [...list] : Array.from({ length: count }, (_, i) => i);
  const [layers, heads] = [all(region.layers, numLayers), all(region.heads, numHeads)];
  const cells = layers.length * heads.length;
  const spread = new Spread(cells * headMeasures.length);
  const { argument, texts } = textsOf(input);
  let [tokens, distances, pairs] = [0, 0, 0];
  /** Of each cell: Σ weight and Σ keys by distance; and lengths of pairs. */
  const sums = Array.from({ length: cells }, () => [] as number[]);
  const keys = Array.from({ length: cells }, () => [] as number[]);
  const lengths = Array.from({ length: cells }, () => [] as number[]);
  const grow = (list: number[], index: number, by: number) => {
    list[index] = (list[index] ?? 0) + by;
  };
  const table = (
    lists: readonly number[][],
    width: number,
    value: (cell: number, i: number) => number,
  ): Tensor => {
    const data = new Float32Array(cells * width);
    lists.forEach((_, cell) => {
      for (let i = 0; i < width; i++) data[cell * width + i] = value(cell, i);
    });
    return { data, shape: [layers.length, heads.length, width] };
  };
  return {
    count: texts.length,
    read(index) {
      const text = model.measured(argument(index), texts[index], region);
      tokens += text.tokens;
      const width = Math.min(max, text.tokens);
      distances = Math.max(distances, width);
      text.layers.forEach((layer, l) => {
        const ofHead = layer.pairs.length / heads.length;
        pairs = Math.max(pairs, ofHead);
        heads.forEach((_, h) => {
          const cell = l * heads.length + h;
          headMeasures.forEach((_, m) => {
            const at = h * headMeasures.length + m;
            spread.add(cell * headMeasures.length + m, layer.values[at]!);
          });
          for (let d = 0; d < width; d++) {
            const count = layer.counts[h * text.tokens + d]!;
            grow(sums[cell]!, d, layer.curves[h * text.tokens + d]! * count);
            grow(keys[cell]!, d, count);
          }
          for (let p = 0; p < ofHead; p++) grow(lengths[cell]!, p, layer.pairs[h * ofHead + p]!);
        });
      });
    },
    result() {
      const [mean, deviation] = [spread.mean(), spread.deviation()];
      const part = (all: Float32Array, m: number): Tensor => ({
        data: Float32Array.from({ length: cells }, (_, i) => all[i * headMeasures.length + m]!),
        shape: [layers.length, heads.length],
      });
      const measures = headMeasures.map((name, m) => [
        name,
        { mean: part(mean, m), spread: part(deviation, m) },
      ]);
      return {
        texts: texts.length,
        tokens,
        layers,
        heads,
        measures: Object.fromEntries(measures) as Record<
          HeadMeasureName,
          { mean: Tensor; spread: Tensor }
        >,
        curve: table(sums, distances, (cell, d) => {
          const count = keys[cell]![d] ?? 0;
          return count ? sums[cell]![d]! / count : 0;
        }),
        pairs: table(lengths, pairs, (cell, p) => (lengths[cell]![p] ?? 0) / texts.length),
      };
    },
  };
}
