/** Measures of heads over texts: the arguments and steps of `model.heads`. */

import { attentionLayers } from "../config/layer-config.js";
import { headMeasures } from "../generated/fields.js";
import type { HeadMeasureName, HeadsOptions, HeadsResult, Model, Tensor } from "../types/index.js";
import { checkOptions, integer } from "../wire/arguments.js";
import { indices } from "../wire/lists.js";
import { textsOf } from "./embed-texts.js";

/** The measures of a text in one layer. */
export interface MeasuredLayer {
  /** [H',measures]. */
  values: Float32Array;
  /** [H',T]: the mean weight, and the number of visible keys, by distance. */
  curves: Float32Array;
  counts: Float32Array;
  /** [H',P]. */
  pairs: Float32Array;
  pairShares: Float32Array;
}

/** A text that is being read, in steps of about 50 ms at most. */
export interface HeadPass {
  /** Returns the number of layers that are done. */
  step(): number;
  /** The measures of each layer, after the last step. */
  layers(): readonly MeasuredLayer[];
  free(): void;
}

/** A model that measures the chosen heads over texts. */
export interface HeadReader extends Pick<Model, "config"> {
  /** `argument` names the text in messages. */
  idsOf(argument: string, text: unknown): Int32Array;
  begin(argument: string, ids: Int32Array, region: HeadRegion): HeadPass;
}

/** Indices; an empty list means all. */
export interface HeadRegion {
  layers: Int32Array;
  heads: Int32Array;
}

export interface HeadsCall {
  /** Tokens of all texts. */
  total: number;
  /** Reads the texts; yields the tokens that are done, in parts of a text by its layers. */
  steps(): Generator<number, void>;
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

const grow = (list: number[], index: number, by: number) => {
  list[index] = (list[index] ?? 0) + by;
};

/** Sums over texts for each head, by distance and by pair of channels. */
class CellLists {
  readonly #heads: number;
  /** Σ weight and Σ keys by distance; lengths of pairs; and their shares. */
  readonly #sums: number[][];
  readonly #keys: number[][];
  readonly #lengths: number[][];
  readonly #shares: number[][];
  /** Texts that define shares, which one of a single token does not. */
  readonly #defined: Int32Array;
  #distances = 0;
  #pairs = 0;

  constructor(cells: number, heads: number) {
    const lists = () => Array.from({ length: cells }, () => [] as number[]);
    [this.#sums, this.#keys, this.#lengths, this.#shares] = [lists(), lists(), lists(), lists()];
    this.#defined = new Int32Array(cells);
    this.#heads = heads;
  }

  /** Adds a layer's measures of a text of so many tokens, up to distance `width` - 1. */
  add(layer: number, measured: MeasuredLayer, tokens: number, width: number): void {
    const ofHead = measured.pairs.length / this.#heads;
    this.#distances = Math.max(this.#distances, width);
    this.#pairs = Math.max(this.#pairs, ofHead);
    for (let head = 0; head < this.#heads; head++) {
      const cell = layer * this.#heads + head;
      for (let d = 0; d < width; d++) {
        const count = measured.counts[head * tokens + d]!;
        grow(this.#sums[cell]!, d, measured.curves[head * tokens + d]! * count);
        grow(this.#keys[cell]!, d, count);
      }
      const isDefined = !Number.isNaN(measured.pairShares[head * ofHead]);
      if (isDefined) this.#defined[cell]! += 1;
      for (let p = 0; p < ofHead; p++) {
        grow(this.#lengths[cell]!, p, measured.pairs[head * ofHead + p]!);
        if (isDefined) grow(this.#shares[cell]!, p, measured.pairShares[head * ofHead + p]!);
      }
    }
  }

  #table(lists: readonly number[][], width: number, value: (cell: number, i: number) => number) {
    const data = new Float32Array(lists.length * width);
    for (const cell of lists.keys())
      for (let i = 0; i < width; i++) data[cell * width + i] = value(cell, i);
    return { data, width };
  }

  curve() {
    return this.#table(this.#sums, this.#distances, (cell, d) => {
      const count = this.#keys[cell]![d] ?? 0;
      return count ? this.#sums[cell]![d]! / count : 0;
    });
  }

  pairs(texts: number) {
    const mean = (cell: number, p: number) => (this.#lengths[cell]![p] ?? 0) / texts;
    return this.#table(this.#lengths, this.#pairs, mean);
  }

  pairShares() {
    return this.#table(this.#shares, this.#pairs, (cell, p) =>
      this.#defined[cell] ? (this.#shares[cell]![p] ?? 0) / this.#defined[cell]! : Number.NaN,
    );
  }
}

const maxDistances = 2 ** 20;

/** Checks the arguments of a call. */
export function headsCall(model: HeadReader, input: unknown, options: HeadsOptions): HeadsCall {
  checkOptions("options", options, ["layers", "heads", "maxDistance"]);
  const { numLayers, numHeads } = model.config;
  const region = {
    layers: attentionLayers("layers", options.layers, model.config),
    heads: indices("heads", options.heads, numHeads),
  };
  const max = integer("maxDistance", options.maxDistance ?? 1023, 0, maxDistances) + 1;
  const all = (list: Int32Array, count: number) =>
    list.length ? [...list] : Array.from({ length: count }, (_, i) => i);
  const [layers, heads] = [all(region.layers, numLayers), all(region.heads, numHeads)];
  const cells = layers.length * heads.length;
  const spread = new Spread(cells * headMeasures.length);
  const { argument, texts } = textsOf(input);
  const ids = texts.map((text, i) => model.idsOf(argument(i), text));
  const total = ids.reduce((sum, text) => sum + text.length, 0);
  const lists = new CellLists(cells, heads.length);
  const add = (tokens: number, measured: readonly MeasuredLayer[]) => {
    measured.forEach((layer, l) => {
      for (let at = 0; at < layer.values.length; at++)
        spread.add(l * layer.values.length + at, layer.values[at]!);
      lists.add(l, layer, tokens, Math.min(max, tokens));
    });
  };
  const table = ({ data, width }: { data: Float32Array; width: number }): Tensor => ({
    data,
    shape: [layers.length, heads.length, width],
  });
  return {
    total,
    *steps() {
      let done = 0;
      for (const [index, text] of ids.entries()) {
        const pass = model.begin(argument(index), text, region);
        try {
          for (let layersDone = 0; layersDone < numLayers; ) {
            layersDone = pass.step();
            yield done + Math.floor((text.length * layersDone) / numLayers);
          }
          add(text.length, pass.layers());
        } finally {
          pass.free();
        }
        done += text.length;
      }
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
        tokens: total,
        layers,
        heads,
        measures: Object.fromEntries(measures) as Record<
          HeadMeasureName,
          { mean: Tensor; spread: Tensor }
        >,
        curve: table(lists.curve()),
        pairs: table(lists.pairs(texts.length)),
        pairShares: table(lists.pairShares()),
      };
    },
  };
}
