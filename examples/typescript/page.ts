import "whereformer/elements";
import { load } from "whereformer/worker";

const worker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const remote = await load({ worker, training: true });
const losses: number[] = [];
const config = { vocabSize: 8, hiddenSize: 8, numLayers: 1, numHeads: 1, intermediateSize: 16 };
using trainer = await remote.trainer({ config, task: { id: "copy" }, length: 8 });
await trainer.step(10, { onProgress: (_done, _total, loss) => losses.push(loss ?? 0) });

const heads = document.querySelector("wf-real-heads");
if (heads) heads.models = "/models/";
