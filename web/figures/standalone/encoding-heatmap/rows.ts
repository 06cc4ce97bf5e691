/** Rows of a scheme or of the page, and their transpose for drawing. */
import type { MapNumbers } from "whereformer/elements";
import { yieldToEvents } from "whereformer/yield";
import type { EncodingAnswer } from "../../../engine/both/element-messages.js";
import { fetchData, nameOfAddress } from "../../shared/data/data-source.js";
import { type Numbers, numbersOf } from "../../shared/data/numbers.js";
import { readMapFile } from "../../shared/data/opened-file.js";
import { refused } from "../../shared/given/refused.js";

export interface Rows {
  length: number;
  channels: number;
  /** [length, channels] */
  values: Float32Array;
  /** [channels, length] */
  drawn: Float32Array;
  /** The answer, if the rows are from the engine. */
  answer?: EncodingAnswer;
}

const transposed = (values: Float32Array, length: number, channels: number): Float32Array =>
  Float32Array.from(values, (_, at) => values[(at % length) * channels + Math.floor(at / length)]!);

export const rowsOfAnswer = (answer: EncodingAnswer): Rows => {
  const { length, channels, values } = answer;
  return { length, channels, values, drawn: transposed(values, length, channels), answer };
};

function rowsOf(numbers: Numbers): Rows {
  const { rows: length, columns: channels, values } = numbers;
  return { length, channels, values, drawn: transposed(values, length, channels) };
}

const areMany = ({ layers, heads }: Numbers): boolean => layers * heads > 1;

export async function rowsOfValues(values: MapNumbers): Promise<Rows> {
  const numbers = await numbersOf(values, 0, yieldToEvents, "values");
  if (areMany(numbers)) throw refused("values", values, { expected: "rows" });
  return rowsOf(numbers);
}

export async function rowsOfAddress(src: string, signal: AbortSignal): Promise<Rows> {
  const file = await readMapFile(await fetchData(src, signal), nameOfAddress(src));
  if (areMany(file)) throw refused("src", src, { expected: "rows" });
  return rowsOf(file);
}
