/**
 * Tokens as labels: without spaces, with marks for pieces inside a word, and with signs for
 * invisible characters.
 */

const latin = /^[A-Za-z]+$/;

/** Returns the labels of a list of tokens: `["And", " God", "ly"]` gives `And`, `God`, `-ly`. */
export function labelsOf(tokens: readonly string[]): string[] {
  return tokens.map((token, index) => {
    if (/^<\|.*\|>$/.test(token) || token.includes("\ufffd")) return "□";
    if (token === "\n") return "⏎";
    const trimmed = token.trim();
    if (!trimmed) return "␣";
    const continues = index > 0 && latin.test(token) && /[A-Za-z]$/.test(tokens[index - 1]!);
    return continues ? `-${trimmed}` : trimmed;
  });
}
