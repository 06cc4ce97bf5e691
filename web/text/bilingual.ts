/** The one layout of words. */
import type { Language } from "../defaults.js";

/** Words in both languages: what one has, the other has, or it does not compile. */
export type Bilingual<T> = Readonly<Record<Language, T>>;
