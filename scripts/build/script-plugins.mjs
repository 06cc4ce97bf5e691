// Transformations of every script of the package after bundling.

import { minify } from "terser";

/** Users' bundlers follow addresses in plain quotes; the minifier writes backticks. */
export const literalAddresses = {
  name: "literal-addresses",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === "chunk")) {
      chunk.code = chunk.code.replace(/((?:new URL|import)\()`([^`$\\]*)`/g, '$1"$2"');
    }
  },
};

/**
 * A classic script is decoded in its page's encoding, which may be undeclared: then a browser
 * guesses, and a Chinese guess read a template's closing quote as half of a character.
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
 * Removes code that becomes unused only after other code is removed, above all in Emscripten's
 * glue: Terser runs several passes.
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
