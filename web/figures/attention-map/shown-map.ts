/** What is in the picture, from whatever it was given: a file, numbers, an address, the engine. */
import { EngineFailure } from "../../engine/both/failure.js";
import type { MapsAnswer, MapsQuestion } from "../../engine/both/map-messages.js";
import type { NewestWins } from "../../engine/page/newest-wins.js";
import { labelsOf } from "../../text/tokens.js";
import { nextTask } from "../../turns.js";
import { type Numbers, numbersOf, type Weights } from "../shared/own/numbers.js";
import { type OwnMap, ownLabels, readOwnFile } from "../shared/own/own-file.js";
import { fetchOwn, nameOfAddress } from "../shared/own/own-source.js";
import { askMaps } from "../shared/trained/reading.js";

export interface ShownMap extends Numbers {
  by: "scheme" | "model" | "own";
  /** Of a file. */
  title: string;
  rowLabels: readonly string[];
  columnLabels: readonly string[];
  /** [heads, rows, columns], taken from the values. */
  minus?: Float32Array | undefined;
  answer?: MapsAnswer;
}

export const mapOfFile = (file: OwnMap): ShownMap => ({
  ...file,
  by: "own",
  title: file.name,
  rowLabels: ownLabels(file.rowTokens, file.rows),
  columnLabels: ownLabels(file.columnTokens, file.columns),
});

interface Given {
  weights: Weights;
  minus: Weights | undefined;
  tokens: readonly string[];
  keyTokens: readonly string[];
}

const refuse = (message: string) => new EngineFailure({ code: "malformed_map", message });

/** Labels of a side, as many as it has cells, or none. */
function labelsGiven(name: string, list: readonly string[], count: number): string[] {
  if (list.length && list.length !== count)
    throw refuse(`${name}: ${list.length} given for ${count} cells`);
  return ownLabels(list.length ? list : undefined, count);
}

export async function mapOfWeights({ weights, minus, tokens, keyTokens }: Given) {
  const numbers = await numbersOf(weights, tokens.length, nextTask);
  const other = minus && (await numbersOf(minus, tokens.length, nextTask));
  if (other && other.values.length !== numbers.values.length)
    throw refuse(`minus: ${other.values.length} numbers for ${numbers.values.length} of weights`);
  const shown: ShownMap = {
    ...{ ...numbers, by: "own", title: "" },
    rowLabels: labelsGiven("tokens", tokens, numbers.rows),
    columnLabels: labelsGiven("keyTokens", keyTokens, numbers.columns),
    minus: other?.values,
  };
  return shown;
}

export async function mapOfAddress(src: string, signal: AbortSignal): Promise<ShownMap> {
  return mapOfFile(await readOwnFile(await fetchOwn(src, signal), nameOfAddress(src)));
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
    ...{ heads: 1, rows: labels.length, columns: labels.length, values: first.values },
    ...{ by: answer.reader, title: "", rowLabels: labels, columnLabels: labels, answer },
    minus: second?.values,
  };
}
