/**
 * `whereformer/worker`: the engine in a worker, so that a page stays awake. The same API as the
 * package's, with promises for answers and, as the last argument of every method,
 * `{ signal, onProgress }`.
 *
 * @module whereformer/worker
 */
export { type Decoder, TextStream } from "./config/text-stream.js";
export type * from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";
export { load } from "./worker/client.js";
export type * from "./worker/remote.js";
