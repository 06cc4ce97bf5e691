// Node 22.12 and newer can require modules.
const { load } = require("whereformer");

load().then((wf) => {
  const scheme = wf.scheme("alibi", { numHeads: 2, headDim: 4 });
  console.log("here", scheme.bias([2], [0, 1, 2]).data.join(" "));
});
