/**
 * The engine, on the calling thread.
 *
 * @module whereformer
 */
export { load } from "./api/load.js";
export { byGroup } from "./config/by-group.js";
export { rankHeads } from "./config/rank-heads.js";
export { type Decoder, TextStream } from "./config/text-stream.js";
export { withRow } from "./config/with-row.js";
export type * from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";
