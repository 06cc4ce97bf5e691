/** The remark on the text: how it was read, or why it was not. */
import { sameCharacter } from "whereformer/words";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import type { Text } from "../../text/index.js";
import { failureText } from "../shared/figure/failure-sentence.js";
import { type Answers, longestRead } from "./answers.js";
import type { OpenWords } from "./words.js";

/** Returns the reason why a text must be token ids. */
function idsRemark({ tokenizerProblem }: OpenedModel, words: OpenWords, text: Text): string {
  const other = words.idsRemark;
  return tokenizerProblem ? failureText(tokenizerProblem, text, { other }) : other;
}

export function remarkOf(
  model: OpenedModel,
  answers: Answers,
  words: OpenWords,
  text: Text,
): string {
  const { encoded, failure } = answers;
  return [
    failure ? failureText(failure, text, words.failure.causes) : "",
    model.readsText ? "" : idsRemark(model, words, text),
    encoded?.isShortened ? words.shortened(longestRead) : "",
    encoded && encoded.ids.length < 2 ? words.short : "",
    encoded?.tokens.includes(sameCharacter) ? words.restOfCharacter : "",
  ]
    .filter(Boolean)
    .join(text.join.sentences);
}
