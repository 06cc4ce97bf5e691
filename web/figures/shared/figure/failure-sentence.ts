/**
 * The one way from a failure to a sentence in the reader's language. A place that knows more about
 * its failures passes in words of its own; nothing else of the page puts a code or a message into
 * words.
 */
import { html, type TemplateResult } from "lit";
import type { Failure } from "../../../engine/both/failure.js";
import type { Bounds, Expected, ExpectedWords } from "../../../text/expected.js";
import type { Text } from "../../../text/index.js";

/**
 * A place's own words by the failure's code. Text goes before what the engine says; a function says
 * that too, from the facts, so that the engine's English does not follow.
 */
export type Causes = Readonly<
  Record<string, string | ((facts: NonNullable<Failure["facts"]>) => string)>
>;

/** A file that has not arrived, of which nobody said why. */
export const notArrived: Failure = { code: "network", message: "" };

/** A device that knows itself without a network: then nobody else is at fault. */
const isOffline = ({ code }: Failure): boolean =>
  code === "network" && globalThis.navigator?.onLine === false;

/** What a property is, and what it must be. */
function ofProperty({ sentence, kinds }: ExpectedWords, { facts = {} }: Failure): string {
  const { expected, property, value, ...bounds } = facts;
  const words = kinds[expected as Expected["expected"]](bounds as Bounds);
  return sentence(String(property), String(value), words);
}

function foundFor(failed: Failure, { failure }: Text, own: Causes) {
  const { code } = failed;
  if (code === "invalid_property") return () => ofProperty(failure.property, failed);
  const known = isOffline(failed) ? "offline" : code;
  return own[code] ?? own["other"] ?? failure.causes[known] ?? failure.causes["other"]!;
}

/** Whether the place has words of its own for the failure. */
export const isNamed = ({ code }: Failure, own: Causes): boolean => code in own;

/** Why something failed, without what the engine says of it. */
export function causeOf(failure: Failure, text: Text, own: Causes = {}): string {
  const found = foundFor(failure, text, own);
  return typeof found === "string" ? found : found(failure.facts ?? {});
}

/** What the engine says, in English; empty where the cause says all of it. */
function saidOf(failure: Failure, text: Text, own: Causes): string {
  const found = foundFor(failure, text, own);
  return typeof found === "string" && found !== text.failure.causes["offline"]
    ? failure.message
    : "";
}

/** Cause and message as plain text, where there is no room for markup. */
export const failureText = (failure: Failure, text: Text, own: Causes = {}): string =>
  [causeOf(failure, text, own), saidOf(failure, text, own)].filter(Boolean).join(" ");

/** Cause and message; the message says which language it is in. */
export function failureSentence(failure: Failure, text: Text, own: Causes = {}): TemplateResult {
  const said = saidOf(failure, text, own);
  return html`${causeOf(failure, text, own)}${said ? html` <span lang="en">${said}</span>` : ""}`;
}

/** What may help, beside trying again. */
export const cureOf = (failed: Failure, { failure }: Text): string =>
  isOffline(failed) ? failure.offlineCure : failure.cure;

/** What the reader may do, where it is not to try again. */
export function remedyOf({ code }: Failure, { failure }: Text): string | undefined {
  const remedies: Record<string, string> = {
    invalid_argument: failure.otherOptions,
    invalid_property: failure.otherProperty,
    malformed_map: failure.otherNumbers,
  };
  return remedies[code];
}
