/**
 * A classic script that is all of the package: it defines the elements, and `whereformer` has what
 * `whereformer/standalone` exports. It has the binary for plain SIMD alone, and no threads.
 */
declare global {
  var whereformer: typeof import("./standalone.js");
}

export {};
