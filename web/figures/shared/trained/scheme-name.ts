/** Returns the name of a scheme or model in a language, if the names have loaded; else its id. */
import { type Language, schemeName } from "../../../defaults.js";
import { schemeWords, shortTitle, wordsOf } from "../../../text/schemes.js";

export function nameOfScheme(id: string, language: Language): string {
  const name = schemeName(id, language);
  return name === id ? shortTitle(wordsOf(schemeWords(language), id)) : name;
}
