// Test files that take long and find little: `npm run test:long` runs them, `npm test` does not,
// unless they are named.

/** Why `npm test` leaves a file out, and which files. */
export const slowFiles = {
  "releases of the site without a network, which only web/offline changes": [
    "tests/web/lost-network.test.mjs",
    "tests/web/offline.test.mjs",
  ],
  "times that are measured on the machine of the tests": [
    "tests/web/costs-narrow.test.mjs",
    "tests/web/costs.test.mjs",
  ],
  "the whole page in type twice as large, at every width": ["tests/web/larger-type.test.mjs"],
  "files that the build writes in one place, each of them opened": [
    "tests/package/models-package.test.mjs",
    "tests/package/source-maps.test.mjs",
  ],
};

const files = new Set(Object.values(slowFiles).flat());

/** Does `npm test` leave this file out? */
export const isSlow = (file) => files.has(file);
