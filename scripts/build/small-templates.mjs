// Removes indentation and comments of styles from Lit's html`…`, svg`…` and css`…`: bundlers treat
// them as text and would ship them.

export const smallCss = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/([;{:,]) /g, "$1")
    .replace(/ ([{}])/g, "$1");

const small = {
  css: smallCss,
  // White space between elements counts as one space in a browser, whatever its amount.
  html: (text) => text.replace(/\n\s+/g, "\n"),
};
small.svg = small.html;

/** The texts of a program's templates with these tags: `{ start, end, tag }`. */
function* textsOf(node) {
  if (!node || typeof node !== "object") return;
  if (node.type === "TaggedTemplateExpression" && Object.hasOwn(small, node.tag.name ?? ""))
    for (const { start, end } of node.quasi.quasis) yield { start, end, tag: node.tag.name };
  for (const key of Object.keys(node)) yield* textsOf(node[key]);
}

/** A plugin of the builds of the page and of the elements. */
export function smallTemplates() {
  return {
    name: "small-templates",
    apply: "build",
    // After TypeScript is compiled to JavaScript.
    enforce: "post",
    transform(code, id) {
      if (!/\/web\/.*\.ts$/.test(id) || !/\b(?:html|svg|css)`/.test(code)) return undefined;
      let done = "";
      let at = 0;
      const texts = [...textsOf(this.parse(code))].sort((a, b) => a.start - b.start);
      for (const { start, end, tag } of texts) {
        done += code.slice(at, start) + small[tag](code.slice(start, end));
        at = end;
      }
      return { code: done + code.slice(at), map: null };
    },
  };
}
