/** What a scheme or model is called in a language, as far as its words have come; else its id. */
import { type Language, schemeName } from "../../../defaults.js";
import { schemeWords, shortTitle, wordsOf } from "../../../text/schemes.js";

export function nameOfScheme(id: string, language: Language): string {
  const name = schemeName(id, language);
  return name === id ? shortTitle(wordsOf(schemeWords(language), id)) : name;
}
