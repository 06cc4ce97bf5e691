/**
 * The one place where words are chosen by language: those of the whole page here, a figure's beside
 * it.
 */
import type { Language } from "../defaults.js";
import type { Bilingual } from "./bilingual.js";
import { pageWords, type Text } from "./words.js";

export type { Bilingual, Text };

export const wordsIn = <T>(language: Language, words: Bilingual<T>): T => words[language];

/** What the whole page says. */
export const textFor = (language: Language): Text => wordsIn(language, pageWords);
