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

/**
 * Whole minutes from each source to the last one's end, in each language. The first are those of
 * the whole text, so that the times along it and the time of all of it agree.
 */
export const minutesLeft = (sources) =>
  sources.map((_, index) => {
    const { en, zh } = lengthsOf(sources.slice(index));
    const whole = (length, perMinute) => Math.max(1, Math.round(length / perMinute));
    return { en: whole(en, wordsPerMinute), zh: whole(zh, charactersPerMinute) };
  });
