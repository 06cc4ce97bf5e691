// Loads the page's modules for tests that need no browser.
export { openSources } from "../../scripts/build/page-sources.mjs";
