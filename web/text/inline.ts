/**
 * Converts marks in the schemes' texts to elements: `code`, **weight**, [links](…); and d_c, W^UK,
 * θ^(−t) to indices.
 */
import { html, type TemplateResult } from "lit";

type Part = string | TemplateResult;

const mark = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https:[^)\s]+)\)/g;

const oneBelow = /_([A-Za-z])(?![A-Za-z])/.source;
const severalBelow = /_\{([^{}]+)\}/.source;
const capitalsAbove = /\^([A-Z]{1,2})(?![A-Za-z])/.source;
const bracketAbove = /\^\(((?:[^()]|\([^()]*\))*)\)/.source;
/**
 * Subscript: one letter, or any text in braces; superscript: one or two capitals, or any text in
 * brackets.
 */
const index = new RegExp(
  `(?<![A-Za-z])([A-Za-zθ])(?:${oneBelow}|${severalBelow}|${capitalsAbove}|${bracketAbove})`,
  "g",
);

function split(text: string, pattern: RegExp, element: (found: RegExpMatchArray) => Part): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(end, found.index), element(found));
    end = found.index! + found[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

const indexed = (text: string): Part[] =>
  split(text, index, ([, letter, one, several, capitals, above]) => {
    const below = one ?? several;
    if (below) return html`${letter}<sub>${below}</sub>`;
    return html`${letter}<sup>${capitals ?? above}</sup>`;
  });

export function inline(text: string): Part[] {
  const parts = split(text, mark, ([, code, strong, name, address]) => {
    if (code) return html`<code>${code}</code>`;
    if (strong) return html`<strong>${strong}</strong>`;
    return html`<a href=${address!}>${name}</a>`;
  });
  return parts.flatMap((part) => (typeof part === "string" ? indexed(part) : [part]));
}

/** Returns a citation whose arXiv numbers are links. */
export const citation = (paper: string) =>
  inline(paper.replace(/arXiv[: ](\d{4}\.\d{4,5})/g, "[arXiv\u00a0$1](https://arxiv.org/abs/$1)"));
