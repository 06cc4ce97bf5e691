/** The text of each token, where a character may be made of several. */

/** Most tokens that one character is made of: its bytes. */
const longestPiece = 4;

/** The sign of bytes that are no text yet. */
const broken = "\ufffd";

/**
 * What each token says. A tokenizer of bytes cuts a character of three bytes into up to three
 * tokens: the first of them gets the whole character, the others "·".
 */
export function tokenTexts(
  ids: readonly number[],
  decode: (ids: readonly number[]) => string,
): string[] {
  const texts: string[] = [];
  for (let at = 0; at < ids.length; ) {
    let count = 1;
    let text = decode(ids.slice(at, at + 1));
    while (text.includes(broken) && count < longestPiece && at + count < ids.length) {
      count += 1;
      text = decode(ids.slice(at, at + count));
    }
    // Bytes that never become a character stand alone.
    if (text.includes(broken)) [text, count] = [decode(ids.slice(at, at + 1)), 1];
    texts.push(text, ...Array<string>(count - 1).fill("·"));
    at += count;
  }
  return texts;
}
