/** The map in the picture, from any source: a file, numbers, an address, the engine. */
import type { MapNumbers, MapsOnDemand } from "whereformer/elements";
import { yieldToEvents } from "whereformer/yield";
import type { MapParts } from "../../drawing/map-parts.js";
import type { MapsAnswer, MapsQuestion } from "../../engine/both/map-messages.js";
import type { NewestWins } from "../../engine/page/newest-wins.js";
import { labelsOf } from "../../text/token-labels.js";
import { fetchData, nameOfAddress } from "../shared/data/data-source.js";
import { areShares, type Numbers, numbersOf } from "../shared/data/numbers.js";
import { type FileMap, readMapFile, sideLabels } from "../shared/data/opened-file.js";
import { refused } from "../shared/given/refused.js";
import { askMaps } from "../shared/trained/maps-request.js";
import { partsOfHead, type ShownHead, sizesOf } from "./on-demand.js";

export interface ShownMap extends Numbers {
  by: "scheme" | "model" | "given";
  /** Name of the file. */
  title: string;
  rowLabels: readonly string[];
  columnLabels: readonly string[];
  /** Texts of the tokens, if they are known. */
  rowTokens?: readonly string[] | undefined;
  columnTokens?: readonly string[] | undefined;
  /** [layers, heads, rows, columns], subtracted from the values. */
  minus?: Float32Array | undefined;
  /** Whether given numbers can be shares of attention. */
  areShares?: boolean;
  answer?: MapsAnswer;
  /** The one map that has been requested, of maps on demand, and how many there are. */
  parts?: MapParts;
  counts?: { layers: number; heads: number };
}

export interface Sides {
  tokens: readonly string[] | undefined;
  keyTokens: readonly string[] | undefined;
}

/** Checks the labels of a side: one for each cell, or none. */
function labelsGiven(name: string, list: readonly string[] | undefined, max: number): string[] {
  if (list && list.length !== max) throw refused(name, list, { expected: "tokens", max });
  return sideLabels(list, max);
}

/** Uses the rows' labels for the columns too, if their numbers are equal. */
function labelled(numbers: Pick<Numbers, "rows" | "columns">, { tokens, keyTokens }: Sides) {
  const { rows, columns } = numbers;
  const keys = keyTokens ?? (tokens && tokens.length === columns ? tokens : undefined);
  return {
    rowLabels: labelsGiven("tokens", tokens, rows),
    columnLabels: labelsGiven("keyTokens", keys, columns),
    rowTokens: tokens,
    columnTokens: keys,
  };
}

/** Tokens given as properties take precedence over those in the file. */
export const mapOfFile = (file: FileMap, { tokens, keyTokens }: Sides): ShownMap => ({
  ...file,
  by: "given",
  title: file.name,
  areShares: areShares(file.values),
  ...labelled(file, {
    tokens: tokens ?? file.rowTokens,
    keyTokens: keyTokens ?? (tokens ? undefined : file.columnTokens),
  }),
});

interface Given extends Sides {
  weights: MapNumbers;
  minus: MapNumbers | undefined;
}

export async function mapOfWeights({ weights, minus, ...sides }: Given): Promise<ShownMap> {
  const count = sides.tokens?.length ?? 0;
  const numbers = await numbersOf(weights, count, yieldToEvents);
  const other = minus && (await numbersOf(minus, count, yieldToEvents, "minus"));
  const max = numbers.values.length;
  if (other && other.values.length !== max)
    throw refused("minus", minus, { expected: "count", max, choices: "weights" });
  return {
    ...numbers,
    by: "given",
    title: "",
    areShares: areShares(numbers.values),
    ...labelled(numbers, sides),
    minus: other?.values,
  };
}

/** `wanted`: the head to request. */
export async function mapOnDemand(
  weights: MapsOnDemand,
  wanted: ShownHead,
  sides: Sides,
): Promise<ShownMap> {
  const { layers, heads, rows, columns } = sizesOf(weights);
  const labels = labelled({ rows, columns }, sides);
  const parts = await partsOfHead(weights, wanted);
  const { min, max } = parts.overview;
  return {
    layers: 1,
    heads: 1,
    rows,
    columns,
    // Memory for all cells is taken when a cell is read.
    get values() {
      return parts.values;
    },
    by: "given",
    title: "",
    areShares: min >= 0 && max <= 1.001,
    ...labels,
    parts,
    counts: { layers, heads },
  };
}

export async function mapOfAddress(
  src: string,
  sides: Sides,
  signal: AbortSignal,
): Promise<ShownMap> {
  return mapOfFile(await readMapFile(await fetchData(src, signal), nameOfAddress(src)), sides);
}

export async function mapOfEngine(
  line: NewestWins<"maps">,
  question: MapsQuestion,
): Promise<ShownMap | undefined> {
  const answer = await askMaps(line, question);
  if (!answer) return undefined;
  const labels = labelsOf(answer.tokens);
  const [first, second] = answer.maps;
  if (!first?.values) return undefined;
  return {
    layers: 1,
    heads: 1,
    rows: labels.length,
    columns: labels.length,
    values: first.values,
    by: answer.reader,
    title: "",
    rowLabels: labels,
    columnLabels: labels,
    rowTokens: answer.tokens,
    columnTokens: answer.tokens,
    answer,
    minus: second?.values,
  };
}
