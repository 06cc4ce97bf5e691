// Coverage of bindings/ts by the package's tests: `npm run coverage:package`, after
// `npm run build`. The code that runs is minified; its source maps lead to build/modules, which has
// one module for each file of bindings/ts.

/** Many folders of the tests' own packages are called dist, too. */
const dist = new URL("../dist/", import.meta.url).href;

export default {
  name: "bindings/ts, by the package's tests",
  outputDir: "build/coverage-package",
  reports: [["console-details", { maxCols: 100 }], "json-summary"],
  clean: true,
  entryFilter: ({ url }) =>
    url.startsWith(dist) && /^(?!elements)[\w-]+\.js$/.test(url.slice(dist.length)),
  // Paths after the next line's conversion; the glue is Emscripten's.
  sourceFilter: (path) => /^bindings\/ts\/(?!wire\/(?:glue|threads)\.mjs)/.test(path),
  sourcePath: (path) => path.replace(/^.*?modules\//, "bindings/ts/").replace(/\.js$/, ".ts"),
  logging: "info",
};
