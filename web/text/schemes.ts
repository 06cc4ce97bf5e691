/**
 * What the schemes are called and what they do, in the language in force; comes when the gallery is
 * near.
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

/** The words of a language, once they have come. */
export const schemeWords = (language: Language): Words | undefined => come.get(language);

/** At once where they have come, else fetched. Fails with the code "network". */
export async function fetchSchemeWords(language: Language): Promise<Words> {
  const words = come.get(language) ?? (await fetchWords(language));
  come.set(language, words);
  return words;
}

async function fetchWords(language: Language): Promise<Words> {
  try {
    return (await sources[language]()).default;
  } catch {
    // All that a browser says of a module that does not come is its address.
    throw Object.assign(new Error(""), { code: "network" });
  }
}

/**
 * What a title has in brackets, "ALiBi" of "Attention with linear biases (ALiBi)"; else all of it.
 */
export const shortTitle = ({ title }: SchemeWords): string =>
  /[(（]([^()（）]+)[)）]$/.exec(title)?.[1] ?? title;

/** A scheme without words, newer than they are, goes by its id. */
export const wordsOf = (words: Words | undefined, id: string): SchemeWords =>
  words?.[id] ?? { title: id, summary: "", formula: "", symbols: "", options: {} };
