// Selects the tests of the page that run once more in faces that are a tenth wider: all but these,
// whose results do not depend on the width of letters. tests/layout/wider-fonts.test.mjs checks
// that they measure no position, size or pointer.

/** The reasons to run files of tests/web only in the page's own faces, each with its files. */
export const pageFontsOnly = {
  "numbers of figures beside those of formulas, files and the package": [
    "cache",
    "chooser",
    "corpus-heads",
    "cost",
    "costs",
    "distance-bias",
    "downloads",
    "lab-opened",
    "layouts",
    "myths",
    "open-checkpoint",
    "open-scheme",
    "open-two-stacks",
    "own-elements",
    "stretch",
    "tasks",
    "train-short",
    "turning-pairs",
  ],
  "code that is run as it stands": ["codes"],
  "attributes, properties, events and words": ["element-events", "element-state", "odd-texts"],
  "networks, workers and threads that fail": [
    "complaints",
    "frozen",
    "lost-network",
    "lost-worker",
    "offline",
  ],
  "pages of others, which the copy with wider faces does not serve": [
    "guide-pages",
    "memory-kinds",
  ],
  "both sets of faces, one beside the other": ["wider"],
};

const names = Object.values(pageFontsOnly).flat();

/** Whether a test file of the page runs only in the page's own faces. */
export const isPageFontsOnly = (file) =>
  names.some((name) => file.endsWith(`tests/web/${name}.test.mjs`));
