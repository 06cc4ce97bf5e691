// Which tests of the page are run once more in faces that are a tenth wider: all but these, whose
// results no width of a letter can reach. tests/layout/wider-fonts.test.mjs holds them to asking
// for no place, no size and no pointer.

/** Why a file of tests/web is run in the page's own faces alone, and which files. */
export const ownFacesOnly = {
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
  "pages of others, which the copy with wider faces does not serve": ["guide-pages"],
  "both sets of faces, one beside the other": ["wider"],
};

const names = Object.values(ownFacesOnly).flat();

/** Is this test file of the page run in the page's own faces alone? */
export const isOwnFacesOnly = (file) =>
  names.some((name) => file.endsWith(`tests/web/${name}.test.mjs`));
