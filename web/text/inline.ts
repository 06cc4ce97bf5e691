/** The marks that the words of the schemes may hold, as elements: `code`, **weight**, [links](…). */
import { html, type TemplateResult } from "lit";

const mark = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https:[^)\s]+)\)/g;

export function inline(text: string): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let end = 0;
  for (const found of text.matchAll(mark)) {
    parts.push(text.slice(end, found.index));
    const [whole, code, strong, name, address] = found;
    if (code) parts.push(html`<code>${code}</code>`);
    else if (strong) parts.push(html`<strong>${strong}</strong>`);
    else parts.push(html`<a href=${address!}>${name}</a>`);
    end = found.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** A citation whose arXiv numbers are links. */
export const citation = (paper: string) =>
  inline(paper.replace(/arXiv[: ](\d{4}\.\d{4,5})/g, "[arXiv $1](https://arxiv.org/abs/$1)"));
