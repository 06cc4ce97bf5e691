/** Parts of a figure's frame that another page can style with `::part(…)`. */
export const frameParts = [
  "heading",
  "ask",
  "picture",
  "legend",
  "reading",
  "controls",
  "options",
  "small",
  "note",
  "caveat",
  "actions",
  "action",
  "code",
  "failure",
].join(", ");
