/** The engine in a separate worker, in a file that is loaded with the first training. */
export { load } from "whereformer/worker";
export * from "./training-file.js";
