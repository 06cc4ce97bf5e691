/** Advice on what readers write who know other languages, or formulas on paper. */

export type Advice =
  | "undeclared"
  | "index"
  | "equal"
  | "both"
  | "size"
  | "power"
  | "sign"
  | "choice"
  | "itself";

const written: Readonly<Record<string, Advice>> = {
  "=": "equal",
  and: "both",
  or: "both",
  "&": "both",
  "|": "both",
  "−": "sign",
  "–": "sign",
  "×": "sign",
  "·": "sign",
  "÷": "sign",
  if: "choice",
};

/** Returns the advice for an error with these facts; undefined if there is none. */
export function adviceFor(facts: Readonly<Record<string, string | number>>): Advice | undefined {
  const { argument = "", value = "", allowed = "" } = facts;
  const quoted = /^"(.*)"$/s.exec(String(value))?.[1] ?? "";
  const expected = String(allowed);
  if (expected.startsWith("a number, a name")) {
    if (quoted === "|") return "size";
    if (quoted === "*") return "power";
  }
  if (Object.hasOwn(written, quoted)) return written[quoted];
  // The value that a parameter begins with reads no other parameter.
  const isOfFormula = !String(argument).startsWith("parameters");
  if (isOfFormula && expected === "a known name") return "undeclared";
  if (/^\d+ ind(?:ex|ices), not 0$/.test(expected)) return "index";
  return / at i = (\d+), j = \1\b/.test(String(value)) ? "itself" : undefined;
}
