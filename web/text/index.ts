/**
 * The one place where words are chosen by language: those of the whole page here, a figure's beside
 * it.
 */
import type { Language } from "../defaults.js";
import { en, type Text } from "./en.js";
import { zh } from "./zh.js";

/** Words in both languages: what one has, the other has, or it does not compile. */
export type Bilingual<T> = Readonly<Record<Language, T>>;

export type { Text };

export const wordsIn = <T>(language: Language, words: Bilingual<T>): T => words[language];

const texts: Bilingual<Text> = { en, zh };

/** What the whole page says. */
export const textFor = (language: Language): Text => wordsIn(language, texts);
