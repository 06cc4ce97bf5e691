/** The type of all texts. */
import type { Language } from "../defaults.js";

/** Texts in both languages, of one type: a text that is missing in one language is a type error. */
export type Bilingual<T> = Readonly<Record<Language, T>>;
