// The same few computations in every JavaScript engine: what they give must agree. Runs in Node and,
// served beside the package, in a page.

const wave = (count, step) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * step));

/**
 * Computes with the package whose `load` is given; plain numbers come back: the variant, an attention
 * output for each scheme, and the losses of a short training.
 */
export async function probe(load, variant = "auto") {
  const wf = await load({ variant });
  const shape = [2, 37, 16];
  const tensor = (step) => ({ shape, data: wave(2 * 37 * 16, step) });
  const outputs = wf.schemes.map(({ id }) => {
    const scheme = wf.scheme(id, { numHeads: 2, headDim: 16 });
    const attention = wf.attention({ scheme, numHeads: 2, headDim: 16, isCausal: true });
    return [...attention.run({ q: tensor(0.7), k: tensor(1.3), v: tensor(0.11) }).output.data];
  });
  const trainer = wf.trainer({
    config: { vocabSize: 12, hiddenSize: 32, numLayers: 2, numHeads: 4, intermediateSize: 64 },
    task: { id: "copy" },
    length: 12,
    batchSize: 4,
    seed: 2,
    totalSteps: 5,
  });
  const losses = [...trainer.step(5)];
  return { variant: wf.variant, ids: wf.schemes.map(({ id }) => id), outputs, losses };
}
