/** The words of the page in the language in force. */
import type { Language } from "../defaults.js";
import { en, type Text } from "./en.js";
import { zh } from "./zh.js";

const texts: Record<Language, Text> = { en, zh };

export type { Text };
export const textFor = (language: Language): Text => texts[language];
