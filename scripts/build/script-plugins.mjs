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
