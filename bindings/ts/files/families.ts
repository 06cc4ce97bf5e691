/**
 * What reads other people's models: their config.json, and files of weights. A script of its own,
 * fetched with the first of either.
 */
export { readFamily } from "../families/families.js";
export { deleteKept, keptModels } from "./kept.js";
export { openModel } from "./open.js";
