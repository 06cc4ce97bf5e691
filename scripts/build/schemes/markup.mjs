// Text as HTML: escaped, with the marks that the words of the schemes may hold.

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

/** `inline` and `citation` of web/text/inline.ts, as functions that give HTML. */
export function inlineHtml({ inline, citation }) {
  return {
    inline: (text) => flat(inline(text)),
    citation: (text) => flat(citation(text)),
    paragraphs: (text) =>
      text
        .split("\n\n")
        .map((paragraph) => `<p>${flat(inline(paragraph))}</p>`)
        .join("\n"),
    list: (items) =>
      `<ul>\n${items.map((item) => `<li>${flat(inline(item))}</li>`).join("\n")}\n</ul>`,
  };
}

/** `rows` are lists of HTML; the first column names the rows. */
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
