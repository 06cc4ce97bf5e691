/** The engine in a worker of its own, in a file that comes only with the first training. */
export { load } from "whereformer/worker";
export * from "./training-file.js";
