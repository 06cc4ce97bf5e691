// Styles in Lit's css`…` are texts to a bundler, which carries their indentation to every reader.

/** The text of a css`…`, with its comments left out and each run of white space made one space. */
export const smallStyles = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");

/** A plugin of the page's build, and of the elements'. */
export function stylesInScripts() {
  return {
    name: "styles-in-scripts",
    transform(code, id) {
      if (!/\/web\/.*\.ts$/.test(id) || !code.includes("css`")) return undefined;
      // Between the backquotes stand styles alone, or other styles by name: ${shared}.
      return {
        code: code.replace(/\bcss`([^`]*)`/g, (_, text) => `css\`${smallStyles(text)}\``),
        map: null,
      };
    },
  };
}
