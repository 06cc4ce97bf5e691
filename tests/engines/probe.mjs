// A few computations whose results must agree in every JavaScript engine. Runs in Node and, served
// beside the package, in a page.

const sizes = { vocabSize: 12, intermediateSize: 64 };

/**
 * Computes with the package whose `load` is given. Returns the variant, the number of threads, the
 * ids of the schemes, the output of a layer for each scheme, and the losses of a short training.
 */
export async function probe(load, options = {}) {
  const wf = await load({ ...options, training: true });
  const { variant } = wf;
  // One layer of a model, since some schemes use its projections. The model lays out grids.
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
