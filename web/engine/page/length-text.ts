/** The text for training in the tab, one id per character. */
import { lengthRecipe } from "../../defaults.js";
import { EngineFailure } from "../both/failure.js";

export interface LengthText {
  vocabSize: number;
  /** Ids of the training part. */
  ids: Int32Array;
  /** Ids of the test part; one more than the test's characters, because each predicts the next. */
  test: Int32Array;
  address: string;
}

export function textOf(text: string, address = ""): LengthText {
  const letters = [...new Set(text)].sort();
  const idOf = new Map(letters.map((letter, id) => [letter, id]));
  // Filling an array avoids the list of characters that `Int32Array.from` makes first.
  const ids = new Int32Array(text.length);
  let length = 0;
  for (const letter of text) ids[length++] = idOf.get(letter)!;
  const all = ids.subarray(0, length);
  const end = all.length - lengthRecipe.testCharacters - 1;
  return { vocabSize: letters.length, ids: all.slice(0, end), test: all.slice(end), address };
}

export async function fetchText(address: string): Promise<LengthText> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw new EngineFailure({ code: "network", message: `${address}: ${String(cause)}` });
  }
  if (!response.ok)
    throw new EngineFailure({ code: "network", message: `${address}: status ${response.status}` });
  return textOf(await response.text(), address);
}
