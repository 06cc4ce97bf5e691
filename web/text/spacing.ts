/**
 * Returns a name for the middle of a Chinese sentence: with a space between Latin letters or digits
 * and Chinese characters.
 */
export const amid = (name: string): string =>
  name.replace(/^(?=[\w’'])/, " ").replace(/(?<=[\w’'])$/, " ");

/**
 * Returns a name and a number for a Chinese sentence; a full-width bracket at the end of the name
 * needs no space.
 */
export const named = (name: string, value: string): string =>
  name.endsWith("）") ? name + value : `${name} ${value}`;
