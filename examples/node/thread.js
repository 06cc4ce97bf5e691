import { parentPort, Worker, isMainThread } from "node:worker_threads";
import { fileURLToPath } from "node:url";
import { load } from "whereformer";

// The engine in one of the program's own threads.
if (isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  worker.once("message", (bias) => {
    console.log("here", bias);
    worker.terminate();
  });
} else {
  const wf = await load();
  const scheme = wf.scheme("alibi", { numHeads: 2, headDim: 4 });
  parentPort.postMessage(scheme.bias([2], [0, 1, 2]).data.join(" "));
}
