/**
 * The script families.js: reads models of other libraries, their config.json and their files.
 * Fetched when either is first needed.
 */
export { configOfSizes } from "./families/config-of-sizes.js";
export { readFamily } from "./families/read-family.js";
export { deleteKept, keptModels } from "./files/kept.js";
export { loadModel } from "./files/open.js";
