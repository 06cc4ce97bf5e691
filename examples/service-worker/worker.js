import { load } from "./whereformer/dist/index.js";

onmessage = async ({ data: id, source }) => {
  const wf = await load();
  const scheme = wf.scheme(id, { numHeads: 2, headDim: 4 });
  source.postMessage(scheme.bias([2], [0, 1, 2]).data.join(" "));
};
