export { load } from "./api/load.js";
export type * from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";
