/**
 * Turns a failure into a sentence in the reader's language. Nothing else on the page does this; a
 * figure that can say more passes its own words.
 */
import { html, type TemplateResult } from "lit";
import type { Failure } from "../../../engine/both/failure.js";
import type { Bounds, Expected, ExpectedWords } from "../../../text/expected.js";
import type { Text } from "../../../text/index.js";

/**
 * A figure's own words by the failure's code. Text precedes the engine's message; a function
 * includes the message's facts, so that the English message is left out.
 */
export type Causes = Readonly<
  Record<string, string | ((facts: NonNullable<Failure["facts"]>) => string)>
>;

/** A missing file without an error of its own. */
export const notArrived: Failure = { code: "network", message: "" };

/** A device that reports that it is offline is itself the cause. */
const isOffline = ({ code }: Failure): boolean =>
  code === "network" && globalThis.navigator?.onLine === false;

/** Returns a property's value and the expected values. */
function ofProperty({ sentence, kinds }: ExpectedWords, { facts = {} }: Failure): string {
  const { expected, property, value, ...bounds } = facts;
  const words = kinds[expected as Expected["expected"]](bounds as Bounds);
  return sentence(String(property), String(value), words);
}

function foundFor(failed: Failure, { failure }: Text, causes: Causes) {
  const { code } = failed;
  if (code === "invalid_property") return () => ofProperty(failure.property, failed);
  const known = isOffline(failed) ? "offline" : code;
  return causes[code] ?? causes["other"] ?? failure.causes[known] ?? failure.causes["other"]!;
}

/** Whether the figure has its own words for the failure. */
export const isNamed = ({ code }: Failure, causes: Causes): boolean => code in causes;

/** Returns the cause of a failure, without the engine's message. */
export function causeOf(failure: Failure, text: Text, causes: Causes = {}): string {
  const found = foundFor(failure, text, causes);
  return typeof found === "string" ? found : found(failure.facts ?? {});
}

/** Returns the engine's message, in English; empty if the cause includes its facts. */
function saidOf(failure: Failure, text: Text, causes: Causes): string {
  const found = foundFor(failure, text, causes);
  return typeof found === "string" && found !== text.failure.causes["offline"]
    ? failure.message
    : "";
}

/** Returns cause and message as plain text, for use without markup. */
export const failureText = (failure: Failure, text: Text, causes: Causes = {}): string =>
  [causeOf(failure, text, causes), saidOf(failure, text, causes)].filter(Boolean).join(" ");

/** Returns cause and message, with the language of the message as markup. */
export function failureSentence(failure: Failure, text: Text, causes: Causes = {}): TemplateResult {
  const said = saidOf(failure, text, causes);
  const details = said ? html` <span lang="en">${said}</span>` : "";
  return html`${causeOf(failure, text, causes)}${details}`;
}

/** Returns advice to follow before trying again. */
export const cureOf = (failed: Failure, { failure }: Text): string =>
  isOffline(failed) ? failure.offlineCure : failure.cure;

/** Returns the advice to the reader, if trying again does not help. */
export function remedyOf({ code }: Failure, { failure }: Text): string | undefined {
  const remedies: Record<string, string> = {
    invalid_argument: failure.otherOptions,
    invalid_property: failure.otherProperty,
    malformed_map: failure.otherNumbers,
  };
  return remedies[code];
}
