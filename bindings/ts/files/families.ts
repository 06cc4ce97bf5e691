/**
 * Reads models of other libraries: their config.json, and files of weights. A separate script,
 * fetched when either is first needed.
 */
export { readFamily } from "../families/families.js";
export { deleteKept, keptModels } from "./kept.js";
export { openModel } from "./open.js";
