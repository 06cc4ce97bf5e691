// Lit's html`…`, svg`…` and css`…` are texts to a bundler, which carries their indentation, and the
// comments of styles, to every reader.

export const smallCss = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/([;{:,]) /g, "$1")
    .replace(/ ([{}])/g, "$1");

const small = {
  css: smallCss,
  // White space between elements is one space to a browser, however much of it there is.
  html: (text) => text.replace(/\n\s+/g, "\n"),
};
small.svg = small.html;

/** The texts of the templates with such a tag in a program: `{ start, end, tag }`. */
function* textsOf(node) {
  if (!node || typeof node !== "object") return;
  if (node.type === "TaggedTemplateExpression" && Object.hasOwn(small, node.tag.name ?? ""))
    for (const { start, end } of node.quasi.quasis) yield { start, end, tag: node.tag.name };
  for (const key of Object.keys(node)) yield* textsOf(node[key]);
}

/** A plugin of the page's build, and of the elements'. */
export function smallTemplates() {
  return {
    name: "small-templates",
    apply: "build",
    // TypeScript is JavaScript by then.
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
