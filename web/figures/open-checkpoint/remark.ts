/** What is to be said of the text: how it was read, or why it was not. */
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import { longestRead, type Reading } from "./reading.js";
import { restOfCharacter } from "./shown-map.js";
import type { OpenWords } from "./words.js";

export function remarkOf(model: OpenedModel, reading: Reading, words: OpenWords): string {
  const { encoded, failure } = reading;
  const { codes } = words.failure;
  const said = (code: string, message: string) =>
    code === "token_ids" ? words.wrongIds(message) : `${codes[code] ?? codes["other"]} ${message}`;
  return [
    failure ? said(failure.code, failure.message) : "",
    model.readsText ? "" : `${words.idsRemark} ${model.tokenizerProblem}`,
    encoded?.cut ? words.cut(longestRead) : "",
    encoded && encoded.ids.length < 2 ? words.short : "",
    encoded?.tokens.includes(restOfCharacter) ? words.restOfCharacter : "",
  ]
    .join(" ")
    .trim();
}
