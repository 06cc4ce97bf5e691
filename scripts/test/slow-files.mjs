// Test files that take long. Those that find little besides are run by `npm run test:long`, by
// continuous integration while time is left, and by `npm test` only if they are named.

/** Why `npm test` leaves a file out, and which files. */
export const slowFiles = {
  "releases of the site without a network, which only web/offline changes": [
    "tests/web/lost-network.test.mjs",
    "tests/web/offline.test.mjs",
  ],
  "training in the tab by the package's trainer, which tests/package checks": [
    "tests/web/train-short.test.mjs",
  ],
  "a reader's checkpoint in figures, with numbers that tests/package checks": [
    "tests/web/lab-opened.test.mjs",
    "tests/web/open-two-stacks.test.mjs",
    "tests/web/opened-picture.test.mjs",
  ],
  "a worker that fails, which tests/package/worker-failures.test.mjs checks too": [
    "tests/web/lost-worker.test.mjs",
  ],
  "what lies where on the screen, and in which colours; it changes no number": [
    "tests/web/contents.test.mjs",
    "tests/web/fonts.test.mjs",
    "tests/web/grounds.test.mjs",
    "tests/web/place.test.mjs",
  ],
  "times that are measured on the machine of the tests": [
    "tests/web/cache.test.mjs",
    "tests/web/costs-narrow.test.mjs",
    "tests/web/costs.test.mjs",
  ],
  "every element in turn, each of which another file tests too": [
    "tests/web/attention-map-heads.test.mjs",
    "tests/web/codes.test.mjs",
    "tests/web/downloads.test.mjs",
    "tests/web/element-events.test.mjs",
    "tests/web/every-element.test.mjs",
    "tests/web/hostile-properties.test.mjs",
    "tests/web/own-elements.test.mjs",
    "tests/web/stills.test.mjs",
  ],
  "every scheme in turn, each of which other files test too": [
    "tests/web/cost.test.mjs",
    "tests/web/formula-elsewhere.test.mjs",
    "tests/web/gallery.test.mjs",
    "tests/web/open-scheme.test.mjs",
  ],
  "every page of the site in turn": [
    "tests/web/access-pages.test.mjs",
    "tests/web/access.test.mjs",
    "tests/web/larger-type.test.mjs",
    "tests/web/print.test.mjs",
    "tests/web/scheme-pages.test.mjs",
  ],
  "every link of a list": ["tests/web/examples-to-try.test.mjs", "tests/web/myths.test.mjs"],
  "how often figures render: a fault there slows the page, and changes no number": [
    "tests/web/renders.test.mjs",
  ],
  "pages and projects of others, which use the package as the tests of its parts do": [
    "tests/package/foreign-objects.test.mjs",
    "tests/package/foreign-pages.test.mjs",
    "tests/package/packed.test.mjs",
    "tests/package/strict-types.test.mjs",
    "tests/web/figure-chrome.test.mjs",
    "tests/web/guide-pages.test.mjs",
    "tests/web/own-elements-taken.test.mjs",
  ],
  "every key of a table, and every moment of a call": [
    "tests/package/absences.test.mjs",
    "tests/package/awaits.test.mjs",
    "tests/package/gguf-keys.test.mjs",
  ],
  "files that the build writes in one place, each of them opened": [
    "tests/package/models-package.test.mjs",
    "tests/package/source-maps.test.mjs",
  ],
};

/** Files that take longest. They begin first, so that no core waits for one of them at the end. */
export const longFiles = [
  "tests/web/open-checkpoint.test.mjs",
  "tests/web/page.test.mjs",
  "tests/web/lab.test.mjs",
  "tests/package/quantised.test.mjs",
  "tests/package/known-checkpoints.test.mjs",
];

const files = new Set(Object.values(slowFiles).flat());

/** Does `npm test` leave this file out? */
export const isSlow = (file) => files.has(file);
