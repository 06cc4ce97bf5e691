// Text as HTML: escaped, with the markup that the texts of the schemes may contain.

const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => signs[sign]);

/** A template of the page's own modules, or a list of such, as HTML. */
export function flat(part) {
  if (Array.isArray(part)) return part.map(flat).join("");
  if (!part?.strings) return escaped(part ?? "");
  return part.strings.reduce((before, after, index) => {
    const value = flat(part.values[index - 1]);
    return before + (before.endsWith("=") ? `"${value}"` : value) + after;
  });
}

/** Short code must not break across lines. */
const shortCode = /<code>([^<]{1,24})<\/code>/g;

/** `inline` and `citation` of web/text/inline.ts, as functions that return HTML. */
export function inlineHtml({ inline, citation }) {
  const html = (text) => flat(inline(text)).replace(shortCode, '<code class="one">$1</code>');
  return {
    inline: html,
    citation: (text) => flat(citation(text)),
    paragraphs: (text) =>
      text
        .split("\n\n")
        .map((paragraph) => `<p>${html(paragraph)}</p>`)
        .join("\n"),
    list: (items) => `<ul>\n${items.map((item) => `<li>${html(item)}</li>`).join("\n")}\n</ul>`,
  };
}

/** `rows` are lists of HTML; the first column has the rows' headings. */
export function table(label, columns, rows) {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("");
  const body = rows.map(
    ([name, ...cells]) =>
      `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="numbers" tabindex="0" role="region" aria-label="${escaped(label)}"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table></div>`;
}
