// Test files that take long. Those that find little besides are run by `npm run test:long`, and by
// `npm test` only if they are named.

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

/** Files that take longest. They begin first, so that no core waits for one of them at the end. */
export const longFiles = [
  "tests/web/train-short.test.mjs",
  "tests/web/codes.test.mjs",
  "tests/web/lab.test.mjs",
  "tests/web/open-scheme.test.mjs",
  "tests/web/renders.test.mjs",
  "tests/package/packed.test.mjs",
  "tests/package/quantised.test.mjs",
  "tests/package/absences.test.mjs",
];

const files = new Set(Object.values(slowFiles).flat());

/** Does `npm test` leave this file out? */
export const isSlow = (file) => files.has(file);
