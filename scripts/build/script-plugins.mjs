// What is done to every script of the package after it was bundled.

import { minify } from "terser";

/** Other people's bundlers follow addresses in plain quotes; the minifier writes backticks. */
export const literalAddresses = {
  name: "literal-addresses",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === "chunk")) {
      chunk.code = chunk.code.replace(/((?:new URL|import)\()`([^`$\\]*)`/g, '$1"$2"');
    }
  },
};

/**
 * A classic script is read in the encoding of the page that it stands in, which may name none: then
 * a browser guesses, and a Chinese guess took a template's closing quote for half of a character.
 */
export const asciiOnly = {
  name: "ascii-only",
  generateBundle(_, bundle) {
    const escaped = (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const chunk of Object.values(bundle).filter(({ type }) => type === "chunk")) {
      if (/(?<!\\)(\\\\)*\\[\u0080-\uffff]/.test(chunk.code))
        this.error("a character beyond ASCII stands behind a backslash");
      chunk.code = chunk.code.replace(/[\u0080-\uffff]/g, escaped);
    }
  },
};

/**
 * What becomes needless only once something else is gone, in Emscripten's glue above all: Terser
 * looks more than once.
 */
export const smallerScripts = {
  name: "smaller-scripts",
  async renderChunk(code, _chunk, { format }) {
    const options = {
      module: format === "es",
      ecma: 2022,
      compress: { passes: 3, ecma: 2022 },
      sourceMap: true,
    };
    const { code: smaller, map } = await minify(code, options);
    return { code: smaller, map: JSON.parse(map) };
  },
};
