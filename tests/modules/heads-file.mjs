// A made-up file of results of heads, in the form that `npm run heads` writes.
export const length = 8;
export const reach = 5;
// Shares of attention: more than 5 tokens back, 5 to 1 tokens back, on the token itself.
export const evenMass = [0.1, 0.05, 0.05, 0.1, 0.1, 0.2, 0.4];
const even = { windows: 2, mass: evenMass, previous: 0.2, induction: 0.05, delimiter: 0.1 };
const scores = (previous, terms) => ({
  ...even,
  mass: [0.05, 0.02, 0.03, 0.05, 0.05, 0.3, 0.5],
  previous,
  terms,
});

/**
 * Makes results of 4 × 4 heads, of which one attends to the previous token; another one in Chinese.
 */
export function headsFile(term) {
  const heads = (best) =>
    Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => {
        const name = `${Math.floor(index / 4)}.${index % 4}`;
        const terms = term ? { content: 1 - index / 20, [term]: index / 20 } : { content: 1 };
        return [name, scores(name === best ? 0.91 : 0.3, terms)];
      }),
    );
  const results = {
    en: { uniform: even, ...heads("1.2") },
    zh: { uniform: { ...even, metre: 0.04 }, ...heads("2.0") },
  };
  for (const [name, head] of Object.entries(results.zh)) if (name !== "uniform") head.metre = 0.4;
  return { command: "npm run heads -- --scheme made-up", length, reach, results };
}
