// Made-up results of the length experiment, in the form that `npm run length` writes: three seeds,
// a tenth of a bit apart.
const measured = {
  nope: { en: [2, 2.1, 2.2], zh: [8.5, 8.6, 8.7] },
  sinusoidal: { en: [1.9, 2.3, 2.7], zh: [8.4, 8.8, 9.2] },
  learned: { en: [1.9, null, null], zh: [8.1, null, null] },
  rope: { en: [1.8, 2.4, 3], zh: [8, 9, 10] },
  sandwich: { en: [1.88, 1.86, 1.85], zh: [8.4, 8.4, 8.4] },
  alibi: { en: [1.9, 1.9, 1.9], zh: [8.2, 8.2, 8.2] },
};

export const lengthFile = {
  command: "npm run length",
  plan: {
    // One scheme has no result yet.
    schemes: {
      nope: [],
      sinusoidal: [],
      t5: [],
      learned: [],
      rope: [],
      sandwich: [],
      alibi: [],
    },
    small: {
      model: { num_hidden_layers: 2, num_attention_heads: 4, hidden_size: 64 },
      seeds: [1, 2, 3],
    },
    length: { training: { length: 64, batch: 16, steps: 900 }, multiples: [1, 2, 4] },
  },
  results: Object.fromEntries(
    Object.entries(measured).map(([id, values]) => {
      const shifted = (by) =>
        Object.fromEntries(
          Object.entries(values).map(([language, list]) => [
            language,
            list.map((value) => value && value + by),
          ]),
        );
      return [id, { 1: shifted(-0.1), 2: shifted(0), 3: shifted(0.1) }];
    }),
  ),
};
