export { type ErrorDetails, WhereformerError } from "./error.js";
export { load } from "./load.js";
export type * from "./types.js";
