/** Code for the element with the reader's own numbers, as text to copy. */

export const givenMapCode = (): string => `import "whereformer/elements/attention-map";

const map = document.createElement("wf-attention-map");
map.weights = [
  [1, 0, 0],
  [0.4, 0.6, 0],
  [0.1, 0.2, 0.7],
]; // [T, S], heads of maps [H, T, S], or { data, shape }
map.tokens = ["who", "chases", "whom"];
document.body.append(map);
`;
