/**
 * Names and descriptions of the schemes in the language in force; loaded when the gallery is near
 * the window.
 */
import type { Language } from "../defaults.js";

export interface SchemeWords {
  title: string;
  summary: string;
  /** MathML: one element for each line. */
  formula: string;
  symbols: string;
  options: Record<string, string>;
}

type Words = Record<string, SchemeWords>;

const sources: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import("virtual:scheme-words-en"),
  zh: () => import("virtual:scheme-words-zh"),
};
const come = new Map<Language, Words>();

/** Returns the words of a language, if they have loaded. */
export const schemeWords = (language: Language): Words | undefined => come.get(language);

/** Loads the words unless they have loaded. Fails with the code "network". */
export async function fetchSchemeWords(language: Language): Promise<Words> {
  const words = come.get(language) ?? (await fetchWords(language));
  come.set(language, words);
  return words;
}

async function fetchWords(language: Language): Promise<Words> {
  try {
    return (await sources[language]()).default;
  } catch {
    // The browser's error for a missing module has only its address.
    throw Object.assign(new Error(""), { code: "network" });
  }
}

/**
 * Returns the part of a title in brackets, "ALiBi" for "Attention with linear biases (ALiBi)"; else
 * the whole title.
 */
export const shortTitle = ({ title }: SchemeWords): string =>
  /[(（]([^()（）]+)[)）]$/.exec(title)?.[1] ?? title;

/** A scheme without words is named by its id. */
export const wordsOf = (words: Words | undefined, id: string): SchemeWords =>
  words?.[id] ?? { title: id, summary: "", formula: "", symbols: "", options: {} };
