/** Surgery in sentences: the value in force, the operation, and its effect on the loss. */

import { remapParts } from "../../../engine/both/remap.js";
import type { SurgeryInForce, SurgeryLoss } from "../../../engine/both/surgery-messages.js";
import { plain } from "../../../text/numbers.js";
import { labelsOf } from "../../../text/token-labels.js";
import type { SurgeryControlWords } from "./surgery-words.js";

export interface SurgeryNames {
  words: SurgeryControlWords;
  nameOf: (scheme: string) => string;
  termName: (term: string) => string;
}

/** Returns the value in force, in words. */
export function valueText(
  { operation, value, option, wavelengths, to }: SurgeryInForce,
  { words, nameOf, termName }: SurgeryNames,
): string {
  switch (operation) {
    case "zero":
      return termName(value);
    case "drop":
    case "freeze":
      return words.pairText(Number(value) + 1, wavelengths![Number(value)]!);
    case "option":
      return `${option!.key} ${plain(Number(value))}`;
    case "remap": {
      const { method, window } = remapParts(value);
      return words.remapText(words.methods[method], window);
    }
    case "scheme":
      return nameOf(value);
    default:
      return words.at(to);
  }
}

/** Returns operation and place: the beginning of a sentence. */
export function phraseOf(
  inForce: SurgeryInForce,
  tokens: readonly string[],
  names: SurgeryNames,
): string {
  const { words } = names;
  const { operation, value, option, token, to, where, layer, head } = inForce;
  const labels = labelsOf(tokens);
  const isPair = operation === "drop" || operation === "freeze";
  const isOption = operation === "option";
  const what = words.phrase[operation](
    isPair ? String(Number(value) + 1) : valueText(inForce, names),
    labels[token] ?? "",
    isOption ? plain(option!.initial) : (labels[to] ?? ""),
  );
  if (operation === "move" || operation === "copy") return what;
  // Swaps apply to whole layers.
  const scope =
    where === "head" && (isOption || operation === "remap" || operation === "scheme")
      ? "layer"
      : where;
  return what + words.where(scope, layer + 1, head + 1);
}

/** Returns the whole sentence, with the losses before and after. */
export function lossSentence(
  phrase: string,
  losses: readonly SurgeryLoss[],
  words: SurgeryControlWords,
): string {
  const list = losses.map(({ language, before, after }) => words.loss(language, before, after));
  return words.sentence(phrase, list.join(words.lossJoiner));
}
