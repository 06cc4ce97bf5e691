import { load } from "whereformer";
import { load as loadThreads } from "whereformer/threads";
import { load as loadWorker } from "whereformer/worker";

const sizes = { numHeads: 2, headDim: 4 };

const wf = await load();
console.log("here", wf.scheme("alibi", sizes).bias([2], [0, 1, 2]).data.join(" "));

const remote = await loadWorker();
const far = await remote.scheme("alibi", sizes);
console.log("worker", (await far.bias([2], [0, 1, 2])).data.join(" "));
remote.dispose();

const shared = await loadThreads({ threads: 2 });
console.log("threads", shared.threads);
shared.dispose();
// Deno waits for threads even if they sleep, so end explicitly.
Deno.exit();
