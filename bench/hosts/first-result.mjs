// From the import to the first result, each draw in a browser that was never used.

import { medianOfRounds, medianTimes } from "../measure/statistics.mjs";
import { onnxModel } from "../peers/onnx-model.mjs";

const product = () => {
  const square = { shape: [64, 64] };
  return onnxModel({
    nodes: [["MatMul", ["a", "b"], "y"]],
    inputs: { a: square, b: square },
    outputs: { y: square },
  });
};

/** The row's result. `openPage(path)` opens a page in a fresh browser. */
export async function measureFirstResult({ parameters }, openPage) {
  const model = [...product()];
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
        if (!found) return { notOffered: "the package has no matmul" };
        times[name] = found.ms;
        corners.add(found.corner.toFixed(3));
      } finally {
        await close();
      }
    }
    rounds.push(times);
  }
  if (corners.size > 1) return { error: `the products differ: ${[...corners]}` };
  const figure = medianOfRounds(rounds, (times) => times["TensorFlow.js"] / times.whereformer);
  return { rounds, times: medianTimes(rounds), figure, best: "TensorFlow.js" };
}
