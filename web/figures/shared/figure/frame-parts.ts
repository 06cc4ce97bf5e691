/** What a page that is not ours styles of a figure's frame, by `::part(…)`. */
export const frameParts = [
  ...["heading", "ask", "picture", "legend", "reading", "controls", "options", "small", "note"],
  ...["caveat", "actions", "action", "code", "failure"],
].join(", ");
