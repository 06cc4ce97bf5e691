/** Emscripten's glue of the first engine, which has a part of the calls. */
export { default } from "./glue.mjs";
