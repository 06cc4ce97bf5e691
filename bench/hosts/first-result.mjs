// From the import to the first result, each draw in a fresh browser: the time, and the bytes that
// are loaded.

import { brotliCompressSync } from "node:zlib";
import { medianOfRounds, medianTimes } from "../measure/statistics.mjs";
import { onnxModel } from "../peers/onnx-model.mjs";

/**
 * One attention as ONNX, with transposed keys, and queries divided by the square root of the width.
 */
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

/**
 * Runs the first attention of a library in a page of its own. `keepsFiles` also returns the loaded
 * files, read before the page is closed.
 */
async function firstResultOf(name, openPage, { keepsFiles = false } = {}) {
  const { page, close } = await openPage("first-result.html", "firstResult");
  try {
    const bodies = [];
    if (keepsFiles) page.on("response", (response) => bodies.push(response.body()));
    const given = [name, [...attention()]];
    const found = await page.evaluate(([one, bytes]) => globalThis.firstResult(one, bytes), given);
    return { ...found, files: await Promise.all(bodies) };
  } finally {
    await close();
  }
}

/** Returns the row's result. `openPage(path)` opens a page in a fresh browser. */
export async function measureFirstResult({ parameters }, openPage) {
  const peers = ["TensorFlow.js", "ORT"];
  const rounds = [];
  const corners = new Set();
  for (let draw = 0; draw < parameters.draws; draw++) {
    const times = {};
    for (const name of ["whereformer", ...peers]) {
      const found = await firstResultOf(name, openPage);
      times[name] = found.ms;
      corners.add(found.corner.toFixed(3));
    }
    rounds.push(times);
  }
  if (corners.size > 1) return { error: `the outputs differ: ${[...corners]}` };
  const ratio = (peer) => medianOfRounds(rounds, (times) => times[peer] / times.whereformer);
  const [best] = peers.sort((a, b) => ratio(a) - ratio(b));
  return { rounds, times: medianTimes(rounds), figure: ratio(best), best };
}

/**
 * Returns the kilobytes, each file compressed by brotli, that a library loads until its first
 * result.
 */
export async function measureFirstBytes({ parameters }, openPage) {
  const { files } = await firstResultOf(parameters.of, openPage, { keepsFiles: true });
  const sizes = files.map((file) => brotliCompressSync(file).length);
  return { figure: sizes.reduce((sum, size) => sum + size, 0) / 1000, times: {}, rounds: [] };
}
