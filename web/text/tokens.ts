/** Tokens as labels: spaces trimmed, pieces inside a word marked, what has no shape given one. */

const latin = /^[A-Za-z]+$/;

/** Labels of a token list: `["And", " God", "ly"]` gives `And`, `God`, `-ly`. */
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
