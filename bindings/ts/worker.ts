/**
 * `whereformer/worker`: the engine in a worker, to keep a page responsive. It has the package's
 * API, but methods return promises and take `{ signal, onProgress }` as their last argument.
 *
 * @module whereformer/worker
 */
export { byGroup } from "./config/by-group.js";
export { rankHeads } from "./config/rank-heads.js";
export { type Decoder, TextStream } from "./config/text-stream.js";
export { withRow } from "./config/with-row.js";
export type * from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";
export { load } from "./worker/client.js";
export type * from "./worker/remote.js";
