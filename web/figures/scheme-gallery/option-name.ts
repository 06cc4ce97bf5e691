/** Names of a scheme's options. */
import type { Language } from "../../defaults.js";
import { wordsIn } from "../../text/index.js";
import { optionNames } from "./option-words.js";

/** Undefined for an option without a name, which shows its key alone. */
export function nameOfOption(language: Language, scheme: string, key: string): string | undefined {
  const names = wordsIn(language, optionNames);
  return names[`${scheme}.${key}`] ?? names[key];
}
