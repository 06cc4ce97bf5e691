// How much of bindings/ts the package's tests reach: `npm run coverage:package`, after
// `npm run build`. What runs is minified; its source maps lead to build/modules, which has
// one module for each file of bindings/ts.

export default {
  name: "bindings/ts, by the package's tests",
  outputDir: "build/coverage-package",
  reports: [["console-details", { maxCols: 100 }], "json-summary"],
  clean: true,
  entryFilter: ({ url }) => /\/dist\/(?!elements)[\w-]+\.js$/.test(url),
  sourceFilter: (path) => /^(?:.*\/)?modules\/(?!.*glue)/.test(path),
  sourcePath: (path) => path.replace(/^.*?modules\//, "bindings/ts/").replace(/\.js$/, ".ts"),
  logging: "info",
};
