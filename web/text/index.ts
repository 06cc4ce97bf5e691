/**
 * Chooses texts by language: those of the whole page from this folder, those of a figure from the
 * figure's.
 */
import type { Language } from "../defaults.js";
import type { Bilingual } from "./bilingual.js";
import { pageWords, type Text } from "./words.js";

export type { Bilingual, Text };

export const wordsIn = <T>(language: Language, words: Bilingual<T>): T => words[language];

/** Returns the texts of the whole page. */
export const textFor = (language: Language): Text => wordsIn(language, pageWords);
