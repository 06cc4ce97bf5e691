/** A property, or a number in one, that cannot be what it is: what it is, and what is expected. */
import { EngineFailure } from "../../../engine/both/failure.js";
import { type Expected, expectedWords } from "../../../text/expected.js";
import { inCode } from "../../../text/in-code.js";
import { wordsIn } from "../../../text/index.js";

/** Its message is in English; a figure says it in the language of its place. */
export function refused(property: string, given: unknown, expected: Expected): EngineFailure {
  const facts = { property, value: inCode(given), ...expected };
  const { sentence, kinds } = wordsIn("en", expectedWords);
  const message = sentence(property, facts.value, kinds[expected.expected](expected));
  return new EngineFailure({ code: "invalid_property", message, facts });
}
