/**
 * Errors for an invalid property, or an invalid number in it, with the value and the expected
 * values.
 */
import { EngineFailure } from "../../../engine/both/failure.js";
import { type Expected, expectedWords } from "../../../text/expected.js";
import { inCode } from "../../../text/in-code.js";
import { wordsIn } from "../../../text/index.js";

/** The message is in English; a figure shows it in its own language. */
export function refused(property: string, given: unknown, expected: Expected): EngineFailure {
  const facts = { property, value: inCode(given), ...expected };
  const { sentence, kinds } = wordsIn("en", expectedWords);
  const message = sentence(property, facts.value, kinds[expected.expected](expected));
  return new EngineFailure({ code: "invalid_property", message, facts });
}
