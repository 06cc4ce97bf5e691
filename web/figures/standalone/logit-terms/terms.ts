/** The terms of one query's logits: from the engine's maps, or given by the page. */
import type { MapsAnswer } from "../../../engine/both/map-messages.js";
import { labelsOf } from "../../../text/token-labels.js";
import { fetchData, malformed } from "../../shared/data/data-source.js";
import { curvesOf, curvesOfCsv } from "../../shared/data/given-curves.js";
import { sideLabels } from "../../shared/data/opened-file.js";
import { textIn, tokenTexts } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";

export interface Terms {
  /** Terms, each with a value for every key. */
  terms: readonly { name: string; values: readonly number[] }[];
  /** Their sum, for every key. */
  totals: readonly number[];
  /** Labels of the keys, and of the query; empty if there are none. */
  keys: readonly string[];
  query: string;
  /** Row of the query, from 0, and the number of rows. */
  row: number;
  rows: number;
  /** The engine's answers, if the terms are from it: maps of content and of position. */
  answer?: MapsAnswer;
}

const maxKeys = 512;

function summed(terms: Terms["terms"]): number[] {
  return terms[0]!.values.map((_, key) =>
    terms.reduce((sum, { values }) => sum + (values[key] || 0), 0),
  );
}

/** Reads lists by name, `{ content: […], position: […] }`, or any other form of curves. */
export function termsOf(given: unknown, tokens: readonly string[] = [], query = ""): Terms {
  const { lines } = curvesOf(given, "terms");
  const max = lines[0]!.values.length;
  if (max > maxKeys) throw refused("terms", given, { expected: "amount", max: maxKeys });
  if (tokens.length && tokens.length !== max)
    throw refused("tokens", tokens, { expected: "tokens", max });
  const terms = lines.map(({ name, values }, at) => ({ name: name || String(at + 1), values }));
  const keys = sideLabels(tokens.length ? tokens : undefined, max);
  return { terms, totals: summed(terms), keys, query, row: max - 1, rows: 1 };
}

/**
 * Fetches JSON, `{ terms, tokens, query }` or the terms alone; or CSV with a column for each term.
 */
export async function termsOfAddress(src: string, signal: AbortSignal): Promise<Terms> {
  const text = await (await fetchData(src, signal)).text();
  if (!/^[\s\ufeff]*[[{]/.test(text)) return termsOf(curvesOfCsv(text));
  let given: { terms?: unknown; tokens?: unknown; query?: unknown };
  try {
    given = JSON.parse(text);
  } catch (reason) {
    throw malformed((reason as Error).message);
  }
  const { terms, tokens = [], query = "" } = given;
  const texts = tokenTexts.read(tokens);
  if (!texts) throw refused("tokens", tokens, tokenTexts.expected);
  return termsOf(terms ?? given, texts, textIn(query));
}

/** Returns the row of one query from the maps of content and position, without hidden keys. */
export function termsOfMaps(content: MapsAnswer, position: MapsAnswer, wanted: number): Terms {
  const n = content.tokens.length;
  const row = Math.min(Math.max(0, wanted), n - 1);
  const rowOf = ({ maps }: MapsAnswer) => [
    ...maps[0]!.values!.subarray(row * n, row * n + row + 1),
  ];
  const terms = [
    { name: "content", values: rowOf(content) },
    { name: "position", values: rowOf(position) },
  ];
  const labels = labelsOf(content.tokens);
  const keys = labels.slice(0, row + 1);
  return { terms, totals: summed(terms), keys, query: labels[row]!, row, rows: n, answer: content };
}
