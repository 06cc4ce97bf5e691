// From the import to the first result, each draw in a browser that was never used.

import { medianOfRounds, medianTimes } from "../measure/statistics.mjs";
import { onnxModel } from "../peers/onnx-model.mjs";

/** Its keys are turned, and its queries divided by the root of the width. */
const attention = () => {
  const square = { shape: [64, 64] };
  return onnxModel({
    nodes: [
      ["MatMul", ["q", "k"], "logits"],
      ["Softmax", ["logits"], "weights"],
      ["MatMul", ["weights", "v"], "y"],
    ],
    inputs: { q: square, k: square, v: square },
    outputs: { y: square },
  });
};

/** The row's result. `openPage(path)` opens a page in a fresh browser. */
export async function measureFirstResult({ parameters }, openPage) {
  const model = [...attention()];
  const rounds = [];
  const corners = new Set();
  for (let draw = 0; draw < parameters.draws; draw++) {
    const times = {};
    for (const name of ["whereformer", "TensorFlow.js", "ORT"]) {
      const { page, close } = await openPage("first-result.html", "firstResult");
      try {
        const given = [name, model];
        const found = await page.evaluate(
          ([one, bytes]) => globalThis.firstResult(one, bytes),
          given,
        );
        times[name] = found.ms;
        corners.add(found.corner.toFixed(3));
      } finally {
        await close();
      }
    }
    rounds.push(times);
  }
  if (corners.size > 1) return { error: `the outputs differ: ${[...corners]}` };
  const figure = medianOfRounds(rounds, (times) => times["TensorFlow.js"] / times.whereformer);
  return { rounds, times: medianTimes(rounds), figure, best: "TensorFlow.js" };
}
