/** Code that prints where each scheme enters a layer. */
import { galleryModel } from "../../defaults.js";

export function machineCode(): string {
  const { numHeads, headDim, hiddenSize } = galleryModel;
  return `import { load } from "whereformer";

const wf = await load();
for (const { id, hooks } of wf.schemes) {
  const shape = { numHeads: ${numHeads}, headDim: ${headDim}, hiddenSize: ${hiddenSize} };
  const sockets = [];
  if (hooks.includes("embeddings")) sockets.push("word");
  try {
    wf.scheme(id, shape).frequencies();
    sockets.push("rotation");
  } catch (error) {
    if (error.code !== "unsupported") throw error;
  }
  // What a scheme adds beside a rotation of its own corrects that rotation.
  const adds = hooks.includes("distanceStrip") || hooks.includes("bias");
  if (adds && !sockets.includes("rotation")) sockets.push("bias");
  console.log(id, ...sockets);
}
`;
}
