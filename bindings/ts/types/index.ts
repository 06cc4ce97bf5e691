// Programs that compile against these declarations need no library for `Symbol.dispose`.
/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The public types of the engine; start at `engine.ts`. Option keys of each scheme are generated
 * from the scheme descriptions into `generated/schemes.ts`.
 *
 * Shape letters, the same everywhere: B batch, T queries, S keys, H query heads, K key/value heads,
 * D channels of a query or key head, Dv channels of a value head, E model width, V vocabulary.
 */
export type * from "../generated/schemes.js";
export type * from "./architecture.js";
export type * from "./attention.js";
export type * from "./chat.js";
export type * from "./embedding.js";
export type * from "./engine.js";
export type * from "./error-code.js";
export type * from "./formula.js";
export type * from "./heads.js";
export type * from "./load.js";
export type * from "./model.js";
export type * from "./model-options.js";
export type * from "./picture.js";
export type * from "./picture-positions.js";
export type * from "./scheme.js";
export type * from "./session.js";
export type * from "./surgery.js";
export type * from "./tensor.js";
export type * from "./tokenizer.js";
export type * from "./trainer.js";
