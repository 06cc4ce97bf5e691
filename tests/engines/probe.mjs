// A few computations, alike in every JavaScript engine: what they give must agree. Runs in Node
// and, served beside the package, in a page.

const sizes = { vocabSize: 12, intermediateSize: 64 };

/**
 * Computes with the package whose `load` is given; plain numbers come back: the variant, what a
 * layer gives for each scheme, and the losses of a short training.
 */
export async function probe(load, options = {}) {
  const wf = await load({ ...options, training: true });
  const { variant } = wf;
  // A layer of a model, since some schemes look with its projections. Grids are laid out by the
  // model.
  const ids = Array.from({ length: 37 }, (_, i) => (i * i + 3 * i) % 12);
  const outputs = [];
  for (const { id } of wf.schemes) {
    const config = { ...sizes, hiddenSize: 32, numLayers: 1, numHeads: 2, scheme: id, seed: 3 };
    const model = await wf.model({ ...config, initializerRange: 0.3 });
    outputs.push([...model.run(ids, { record: ["hidden"] }).hidden.data]);
  }
  const trainer = wf.trainer({
    config: { ...sizes, hiddenSize: 32, numLayers: 2, numHeads: 4 },
    task: { id: "copy" },
    length: 12,
    batchSize: 4,
    seed: 2,
    totalSteps: 5,
  });
  const losses = [...trainer.step(5)];
  const { threads = 1 } = wf;
  wf.dispose?.();
  return { variant, threads, ids: wf.schemes.map(({ id }) => id), outputs, losses };
}
