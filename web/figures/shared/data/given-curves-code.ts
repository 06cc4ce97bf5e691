/** Code that gives an element the reader's own curves. */

export const givenCurvesCode = (
  tag: string,
): string => `import "whereformer/elements/${tag.slice(3)}";

const chart = document.createElement("${tag}");
chart.curves = {
  x: [0, 1, 2, 3],
  lines: [
    { name: "one", values: [0, -0.5, -1, -1.5] },
    { name: "other", values: [0, -0.1, -0.2, null] }, // null: nothing there
  ],
};
document.body.append(chart);
`;
