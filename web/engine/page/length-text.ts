/** The text that is trained on in the tab, letter by letter. */
import { lengthRecipe } from "../../defaults.js";
import { EngineFailure } from "../both/failure.js";

export interface LengthText {
  vocabSize: number;
  /** Ids of the part that is trained on. */
  ids: Int32Array;
  /**
   * Ids of the part that is not; one more than the test's characters, since each is asked for the
   * next.
   */
  test: Int32Array;
  address: string;
}

export function textOf(text: string, address = ""): LengthText {
  const letters = [...new Set(text)].sort();
  const idOf = new Map(letters.map((letter, id) => [letter, id]));
  // `Int32Array.from` a text makes a list of its letters first, which takes as long again.
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
