// How long a text takes to read, without its figures.

const wordsPerMinute = 220;
const charactersPerMinute = 400;

const plain = (blocks) =>
  blocks
    .filter((block) => !block.startsWith("<details"))
    .join(" ")
    .replace(/<!--[\s\S]*?-->|<[^>]*>|&\w+;/g, " ");

const count = (text, pattern) => [...text.matchAll(pattern)].length;

/** Words of English and characters of Chinese in these sources, folded parts left out. */
export const lengthsOf = (sources) => ({
  en: count(plain(sources.flatMap(({ en }) => en)), /[\p{L}\p{N}’'-]+/gu),
  zh: count(plain(sources.flatMap(({ zh }) => zh)), /\p{Script=Han}|[A-Za-z0-9]+/gu),
});

/** Whole minutes in each language, at least one. */
export function minutesOf(sources) {
  const { en, zh } = lengthsOf(sources);
  return {
    en: Math.max(1, Math.round(en / wordsPerMinute)),
    zh: Math.max(1, Math.round(zh / charactersPerMinute)),
  };
}
