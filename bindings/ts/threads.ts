/**
 * `whereformer/threads`: the same engine, with its work shared by several threads. It needs shared
 * memory, which a page has only if its server sends `Cross-Origin-Opener-Policy: same-origin` and
 * `Cross-Origin-Embedder-Policy: require-corp`, and relaxed SIMD. Otherwise it works on one thread.
 *
 * @module whereformer/threads
 */
export { byGroup } from "./config/by-group.js";
export { rankHeads } from "./config/rank-heads.js";
export { type Decoder, TextStream } from "./config/text-stream.js";
export { withRow } from "./config/with-row.js";
export { load, type ThreadsLoadOptions } from "./threads/load.js";
export type { ThreadedEngine } from "./threads/threaded-engine.js";
export type * from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";
