/** Rows of a scheme or of one's own, and the same with channels down, as they are drawn. */
import type { EncodingAnswer } from "../../engine/both/element-messages.js";
import { nextTask } from "../../turns.js";
import { numbersOf, type Weights } from "../shared/own/numbers.js";
import { readOwnFile } from "../shared/own/own-file.js";
import { fetchOwn, malformed, nameOfAddress } from "../shared/own/own-source.js";

export interface Rows {
  length: number;
  channels: number;
  /** [length, channels] */
  values: Float32Array;
  /** [channels, length] */
  drawn: Float32Array;
  /** Of the engine. */
  answer?: EncodingAnswer;
}

const turned = (values: Float32Array, length: number, channels: number): Float32Array =>
  Float32Array.from(values, (_, at) => values[(at % length) * channels + Math.floor(at / length)]!);

export const rowsOfAnswer = (answer: EncodingAnswer): Rows => {
  const { length, channels, values } = answer;
  return { length, channels, values, drawn: turned(values, length, channels), answer };
};

function rowsOf(numbers: { heads: number; rows: number; columns: number; values: Float32Array }) {
  const { heads, rows: length, columns: channels, values } = numbers;
  if (heads !== 1) throw malformed(`values: ${heads} maps; allowed: one, [positions, channels]`);
  return { length, channels, values, drawn: turned(values, length, channels) };
}

export const rowsOfValues = async (values: Weights): Promise<Rows> =>
  rowsOf(await numbersOf(values, 0, nextTask, "values"));

export const rowsOfAddress = async (src: string, signal: AbortSignal): Promise<Rows> =>
  rowsOf(await readOwnFile(await fetchOwn(src, signal), nameOfAddress(src)));
